package io.sluice.spring.method;

import io.sluice.spring.Caller;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;

/**
 * A method and all that it is limited by.
 *
 * @param cost what a call needs of each limit
 */
public record LimitedMethod(Method method, List<MethodLimit> limits, CostSource cost) {
  public LimitedMethod {
    limits = List.copyOf(limits);
  }

  /** One call of it. */
  public Call call(Object bean, Object[] arguments, BeanFactory beans, Caller caller) {
    MethodBasedEvaluationContext variables =
        new MethodBasedEvaluationContext(bean, method, arguments, CallExpression.NAMES);
    variables.setBeanResolver(new BeanFactoryResolver(beans));
    return new Call(method, variables, caller);
  }

  /** What a call asks of each limit. */
  public List<Ask> asks(Call call) {
    return limits.stream().map(limit -> limit.ask(call)).toList();
  }

  /**
   * The permits that a call needs, at least 1.
   *
   * @throws IllegalStateException if the call says no such number
   */
  public long costOf(Call call) {
    return cost.of(call);
  }

  public boolean asksRedis() {
    return limits.stream().anyMatch(MethodLimit::isRemote);
  }
}
