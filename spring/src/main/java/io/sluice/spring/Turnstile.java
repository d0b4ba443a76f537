package io.sluice.spring;

import java.util.List;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInvocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;

/** The way into a limited method: a call is metered, counted, and told to the web request. */
final class Turnstile {
  private static final Logger LOG = LoggerFactory.getLogger(Turnstile.class);

  private final CallMeter meter;
  private final MeteredListener counts;
  private final BeanFactory beans;

  Turnstile(CallMeter meter, MeteredListener counts, BeanFactory beans) {
    this.meter = meter;
    this.counts = counts;
    this.beans = beans;
  }

  /** A call whose key and cost are known, so that any thread may meter it. */
  record Visit(MethodInvocation invocation, List<Ask> asks, long cost, WebCall web) {
    Object refuse(Metered metered) throws Throwable {
      RateLimitExceededException exceeded = metered.exceeded();
      Fallback fallback = metered.deciding().fallback();
      if (fallback == Fallback.NONE) {
        exceeded
            .retryAfter()
            .map(RateLimitFields::retryAfter)
            .ifPresent(wait -> tell(to -> to.answer(RateLimitFields.RETRY_AFTER, wait)));
      }
      return fallback.answer(invocation.getThis(), invocation.getArguments(), exceeded);
    }

    /** A request may have ended meanwhile; the call is metered, and goes on as was decided. */
    private void tell(Consumer<WebCall> news) {
      try {
        news.accept(web);
      } catch (IllegalStateException | UnsupportedOperationException e) {
        LOG.debug("A web request has ended before it is told of its limits", e);
      }
    }
  }

  Visit visit(LimitedMethod limited, MethodInvocation invocation, WebCall web) {
    MethodBasedEvaluationContext variables =
        new MethodBasedEvaluationContext(
            invocation.getThis(),
            limited.method(),
            invocation.getArguments(),
            CallExpression.NAMES);
    variables.setBeanResolver(new BeanFactoryResolver(beans));
    Call call = new Call(limited.method(), variables, new CallerOf(limited.method(), web));
    return new Visit(invocation, limited.asks(call), limited.cost().of(call), web);
  }

  /** Meters a call. */
  Metered meter(Visit visit) {
    Metered metered = meter.meter(visit.asks(), visit.cost());
    counts.metered(metered);
    visit.tell(
        web -> {
          RateLimitFields fields = web.fields();
          fields.add(metered);
          fields.writeTo(web);
        });
    return metered;
  }
}
