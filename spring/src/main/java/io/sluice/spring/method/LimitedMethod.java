package io.sluice.spring.method;

import io.sluice.spring.Caller;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;

/**
 * Method of a bean, with all its limits.
 *
 * @param cost computes the cost of a call, which is the same for each limit
 */
public record LimitedMethod(Method method, List<MethodLimit> limits, CostSource cost) {
  public LimitedMethod {
    limits = List.copyOf(limits);
  }

  /** Creates the context of a call, in which key and cost expressions are evaluated. */
  public CallContext call(Object bean, Object[] arguments, BeanFactory beans, Caller caller) {
    MethodBasedEvaluationContext variables =
        new MethodBasedEvaluationContext(bean, method, arguments, CallExpression.NAMES);
    variables.setBeanResolver(new BeanFactoryResolver(beans));
    return new CallContext(method, variables, caller);
  }

  /** Returns one request for each limit, to meter a call against it. */
  public List<Ask> asks(CallContext call) {
    return limits.stream().map(limit -> limit.ask(call)).toList();
  }

  /**
   * Returns the cost of a call in permits, at least 1.
   *
   * @throws IllegalStateException if the call has no valid cost
   */
  public long costOf(CallContext call) {
    return cost.of(call);
  }

  public boolean asksRedis() {
    return limits.stream().anyMatch(MethodLimit::isRemote);
  }
}
