package io.sluice.spring.proxy;

import static java.util.stream.Collectors.joining;

import io.sluice.spring.RateLimit;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.method.MethodNames;
import io.sluice.spring.settings.LimitMistakesException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds mistakes in the limits of all beans and settings, and fails the application's start before
 * it serves requests.
 */
public final class StartCheck implements SmartInitializingSingleton {
  private static final String REQUEST_MAPPING =
      "org.springframework.web.bind.annotation.RequestMapping";

  private static final String FLOW = "kotlinx.coroutines.flow.Flow";
  private static final boolean COROUTINES =
      ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", StartCheck.class.getClassLoader())
          && KotlinDetector.isKotlinReflectPresent();

  private final ConfigurableListableBeanFactory beans;
  private final List<String> ofSettings;
  private final LimitedMethods methods;
  private final RateLimitPostProcessor aspect;
  private final boolean reactive;
  private final Map<String, Set<Method>> limited = new LinkedHashMap<>();

  /**
   * @param ofSettings mistakes found in the configuration
   * @param reactive whether this is a WebFlux application
   */
  public StartCheck(
      ConfigurableListableBeanFactory beans,
      List<String> ofSettings,
      LimitedMethods methods,
      RateLimitPostProcessor aspect,
      boolean reactive) {
    this.beans = beans;
    this.ofSettings = ofSettings;
    this.methods = methods;
    this.aspect = aspect;
    this.reactive = reactive;
  }

  @Override
  public void afterSingletonsInstantiated() {
    List<String> mistakes = new ArrayList<>(ofSettings);
    for (String bean : beans.getBeanDefinitionNames()) check(bean, mistakes);
    if (!mistakes.isEmpty()) throw new LimitMistakesException(mistakes);
    aspect.checked();
  }

  /** Returns the limited methods of each bean, by bean name. */
  public Map<String, Set<Method>> limited() {
    return limited;
  }

  private void check(String bean, List<String> mistakes) {
    Class<?> type = beans.getType(bean, false);
    if (type == null || bean.startsWith("scopedTarget.")) return;
    Class<?> own = own(bean, type);
    Set<Method> found = limitedMethods(own);
    if (found.isEmpty()) return;
    limited.put(bean, found);
    for (Method method : sorted(found)) {
      List<String> problems = new ArrayList<>(methods.mistakes(method, own));
      problems.addAll(unreachable(method));
      problems.addAll(ListenerMethods.problems(method, own));
      problems.forEach(
          problem ->
              mistakes.add("bean " + bean + ", " + MethodNames.title(method) + ": " + problem));
    }
    if (isMade(bean) && isNull(beans.getBean(bean))) return;
    Class<?> made = madeClass(bean, own);
    if (isPastTheProxy(bean, made)) mistakes.add("bean " + bean + ": " + noProxy(made, found));
  }

  /**
   * Returns the class of a bean behind its JDK proxy, since the class may have annotations that the
   * interface lacks.
   */
  public Class<?> own(String bean, Class<?> type) {
    if (!Proxy.isProxyClass(type) || !beans.containsSingleton(bean)) {
      return ClassUtils.getUserClass(type);
    }
    Object made = beans.getSingleton(bean);
    return made instanceof FactoryBean<?> ? type : AopProxyUtils.ultimateTargetClass(made);
  }

  private static List<Method> sorted(Set<Method> methods) {
    return methods.stream().sorted(Comparator.comparing(MethodNames::signature)).toList();
  }

  private static Set<Method> limitedMethods(Class<?> type) {
    if (!AnnotationUtils.isCandidateClass(type, RateLimit.class)) return Set.of();
    return MethodIntrospector.selectMethods(
        type, (ReflectionUtils.MethodFilter) method -> LimitedMethods.isLimited(method, type));
  }

  private List<String> unreachable(Method method) {
    List<String> problems = new ArrayList<>();
    int modifiers = method.getModifiers();
    if (Modifier.isPrivate(modifiers)) problems.add(calledPast("private"));
    if (Modifier.isStatic(modifiers)) problems.add(calledPast("static"));
    if (Modifier.isFinal(modifiers)) problems.add(calledPast("final"));
    if (KotlinDetector.isSuspendingFunction(method)) {
      if (!COROUTINES) {
        problems.add(
            "a limited suspend function needs kotlinx-coroutines-reactor and kotlin-reflect");
      }
      if (new MethodParameter(method, -1).getParameterType().getName().equals(FLOW)) {
        problems.add("a limited suspend function does not return a Flow; limit its collector");
      }
    } else if (reactive && isHandler(method) && !ReactiveCalls.handle(method)) {
      problems.add(
          "a limited handler in WebFlux must return a Mono or Flux, or be a suspend function: with"
              + " other types, the caller is unknown");
    }
    return problems;
  }

  private static String calledPast(String modifier) {
    return "a " + modifier + " method cannot be limited: calls to it bypass the proxy";
  }

  private static boolean isHandler(Method method) {
    return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(REQUEST_MAPPING);
  }

  /**
   * Returns the class of the bean instance if it exists, else the given type: a factory may create
   * another class than it declares.
   */
  private Class<?> madeClass(String bean, Class<?> type) {
    return isMade(bean) ? AopProxyUtils.ultimateTargetClass(beans.getBean(bean)) : type;
  }

  /**
   * Whether the bean can be examined without creating a lazy bean: it exists, or it is the
   * singleton of a factory bean that is not lazy or is needed by other beans.
   */
  private boolean isMade(String bean) {
    if (!beans.containsSingleton(bean)) return false;
    Object made = beans.getSingleton(bean);
    if (!(made instanceof FactoryBean<?> factory)) return true;
    boolean needed = beans.getDependentBeans(bean).length > 0;
    return factory.isSingleton() && (needed || !beans.getMergedBeanDefinition(bean).isLazyInit());
  }

  /**
   * Whether a factory has returned null instead of a bean: Spring's placeholder for null equals
   * null.
   */
  @SuppressWarnings("EqualsNull")
  private static boolean isNull(Object bean) {
    return bean.equals(null);
  }

  /**
   * Whether calls of a bean bypass its limits, because its class is final or it has no proxy with
   * limits. A bean that does not exist yet is checked when it is created.
   */
  private boolean isPastTheProxy(String bean, Class<?> type) {
    if (RateLimitPostProcessor.isFinal(type)) return true;
    return isMade(bean) && !aspect.isAround(beans.getBean(bean));
  }

  private static String noProxy(Class<?> type, Set<Method> found) {
    String names = sorted(found).stream().map(MethodNames::title).collect(joining(" and "));
    return RateLimitPostProcessor.isFinal(type)
        ? "a final class has no proxy, so these methods are not limited: " + names
        : "created before @RateLimit is active, so these methods are not limited: "
            + names
            + "; a BeanPostProcessor and the beans that it needs cannot have limits";
  }
}
