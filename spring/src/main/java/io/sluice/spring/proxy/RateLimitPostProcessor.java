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
 * Creates proxies for beans with limited methods, without AspectJ or {@code spring.aop.auto}.
 * Limits are checked before all other advice, so a refused call begins no transaction.
 */
public final class RateLimitPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  @Serial private static final long serialVersionUID = 1;

  private volatile boolean checked;

  /**
   * @param interceptor creates the interceptor at the first call of a limited method: if it were
   *     created earlier, the beans that it needs would exist before other post-processors
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

  /**
   * Excludes final classes, which cannot have a proxy: {@link StartCheck} reports all of them at
   * once.
   */
  @Override
  protected boolean isEligible(Class<?> targetClass) {
    return !isFinal(targetClass) && super.isEligible(targetClass);
  }

  /** Whether a class is final, so that it cannot have a proxy, and is not itself a JDK proxy. */
  static boolean isFinal(Class<?> type) {
    return Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type);
  }

  /**
   * Rejects a bean that is created after {@link StartCheck} has run and cannot be limited.
   *
   * @throws LimitMistakesException if the bean has limited methods and a final class
   */
  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    Object made = super.postProcessAfterInitialization(bean, name);
    Class<?> type = AopUtils.getTargetClass(bean);
    if (checked && isFinal(type) && AopUtils.canApply(advisor, type)) {
      throw new LimitMistakesException(
          List.of("bean " + name + ": a final class has no proxy and cannot be limited: " + type));
    }
    return made;
  }

  /** Notes that {@link StartCheck} has run; from now on each bean is checked when it is created. */
  void checked() {
    checked = true;
  }

  /** Whether a bean is a proxy that limits calls, with the advice of this post-processor. */
  boolean isAround(Object bean) {
    if (!(bean instanceof Advised advised)) return false;
    for (Advisor each : advised.getAdvisors()) if (each == advisor) return true;
    return false;
  }
}
