package io.sluice.spring.proxy;

import io.sluice.spring.RateLimit;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.settings.LimitMistakesException;
import java.io.Serial;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The maker of proxies for beans with limited methods. It needs no AspectJ and no {@code
 * spring.aop.auto}. Limits come before everything else that is around a method: what is refused
 * begins no transaction.
 */
public final class RateLimitPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  @Serial private static final long serialVersionUID = 1;

  private volatile boolean checked;

  /**
   * @param interceptor made when a limited method is first called: beans that it needs would
   *     otherwise be made before other post-processors are there
   */
  public RateLimitPostProcessor(
      Supplier<RateLimitInterceptor> interceptor, boolean proxyTargetClass) {
    Supplier<RateLimitInterceptor> once = SingletonSupplier.of(interceptor);
    MethodInterceptor advice = invocation -> once.get().invoke(invocation);
    advisor = new DefaultPointcutAdvisor(new LimitedMethodPointcut(), advice);
    setBeforeExistingAdvisors(true);
    setProxyTargetClass(proxyTargetClass);
  }

  private static final class LimitedMethodPointcut extends StaticMethodMatcherPointcut {
    LimitedMethodPointcut() {
      setClassFilter(type -> AnnotationUtils.isCandidateClass(type, RateLimit.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
      return LimitedMethods.isLimited(method, targetClass);
    }
  }

  /** A bean without a proxy is left as it is: {@link StartCheck} reports all of them at once. */
  @Override
  protected boolean isEligible(Class<?> targetClass) {
    return !isFinal(targetClass) && super.isEligible(targetClass);
  }

  /** Whether a class cannot be extended, and its beans are not proxies of interfaces either. */
  static boolean isFinal(Class<?> type) {
    return Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type);
  }

  /**
   * A bean that is made after the check at start is refused if nothing limits it.
   *
   * @throws LimitMistakesException if it has limited methods and no proxy
   */
  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    Object made = super.postProcessAfterInitialization(bean, name);
    Class<?> type = AopUtils.getTargetClass(bean);
    if (checked && isFinal(type) && AopUtils.canApply(advisor, type)) {
      throw new LimitMistakesException(
          List.of("bean " + name + ": a final class has no proxy, which would limit it: " + type));
    }
    return made;
  }

  /** The beans that exist are checked; from now on each is checked when it is made. */
  void checked() {
    checked = true;
  }

  /** Whether a bean is behind this. */
  boolean isAround(Object bean) {
    if (!(bean instanceof Advised advised)) return false;
    for (Advisor each : advised.getAdvisors()) if (each == advisor) return true;
    return false;
  }
}
