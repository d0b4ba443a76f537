package io.sluice.spring.proxy;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.spring.RateLimitExceededException;
import io.sluice.spring.metering.CallMeter;
import io.sluice.spring.metering.Metered;
import io.sluice.spring.metering.MeteredListener;
import io.sluice.spring.method.Ask;
import io.sluice.spring.method.CallContext;
import io.sluice.spring.method.Fallback;
import io.sluice.spring.method.LimitedMethod;
import io.sluice.spring.web.CallerOf;
import io.sluice.spring.web.WebCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;

/**
 * Guard of limited methods: meters and counts a call, adds headers to the web response, and then
 * calls the method, or its fallback, or throws.
 */
public final class LimitedCallGuard {
  private static final Logger LOG = LoggerFactory.getLogger(LimitedCallGuard.class);

  /** Time after which a waiting caller repeats its call while Redis is unavailable. */
  private static final Duration UNTIL_REDIS_IS_ASKED_AGAIN = Duration.ofSeconds(1);

  private final CallMeter meter;
  private final MeteredListener counts;
  private final Function<Metered, RateLimitExceededException> exceeded;
  private final BeanFactory beans;

  /**
   * @param exceeded creates the exception for a refused call
   * @param beans beans that a key or cost expression may use
   */
  public LimitedCallGuard(
      CallMeter meter,
      MeteredListener counts,
      Function<Metered, RateLimitExceededException> exceeded,
      BeanFactory beans) {
    this.meter = meter;
    this.counts = counts;
    this.exceeded = exceeded;
    this.beans = beans;
  }

  /** Call whose key and cost are known, so that any thread may meter it. */
  record LimitedCall(MethodInvocation invocation, List<Ask> asks, long cost, WebCall web) {
    /**
     * Adds headers to the web response. If the request has ended, only logs this, and the call
     * proceeds as decided.
     */
    private void tell(Consumer<WebCall> news) {
      try {
        news.accept(web);
      } catch (IllegalStateException | UnsupportedOperationException e) {
        LOG.debug("A web request ended before its limits were added to the response", e);
      }
    }
  }

  LimitedCall limitedCall(LimitedMethod limited, MethodInvocation invocation, WebCall web) {
    CallContext call =
        limited.call(
            invocation.getThis(),
            invocation.getArguments(),
            beans,
            new CallerOf(limited.method(), web));
    return new LimitedCall(invocation, limited.asks(call), limited.costOf(call), web);
  }

  /** Meters a call, and blocks the calling thread if Redis is asked. */
  Metered meter(LimitedCall call) {
    Metered metered = meter.meter(call.asks(), call.cost());
    counts.metered(metered);
    return metered;
  }

  /**
   * Meters a call without blocking a thread while Redis is asked. One thread completes the futures
   * of all such calls, so stages that depend on a future must not block.
   */
  CompletableFuture<Metered> meterLater(LimitedCall call) {
    return meter.meterLater(call.asks(), call.cost(), counts);
  }

  /**
   * Calls the method if the call is admitted; otherwise calls its fallback, or throws the
   * exception.
   */
  Object pass(LimitedCall call, Metered metered) throws Throwable {
    call.tell(web -> web.tell(metered));
    return metered.admitted() ? call.invocation().proceed() : refuse(call, metered);
  }

  /**
   * Meters the call of a caller that can wait, and calls the method, or its fallback.
   *
   * @throws RetryLaterError if the caller must repeat the call, because it may conform later, or
   *     because Redis does not answer
   */
  Object passInTurn(LimitedCall call) throws Throwable {
    BooleanSupplier changed = meter.changes(call.asks()); // changes since before metering
    Metered metered;
    try {
      metered = meter(call);
    } catch (UnreadableKeyException e) {
      throw e; // waiting would not help: fails the call
    } catch (LimiterUnavailableException e) {
      LOG.debug("Redis is unavailable: a record waits and is metered again", e);
      throw new RetryLaterError(UNTIL_REDIS_IS_ASKED_AGAIN, changed);
    }
    if (!metered.admitted() && metered.deciding().fallback() == Fallback.NONE) {
      exceeded
          .apply(metered)
          .retryAfter()
          .ifPresent(
              wait -> {
                throw new RetryLaterError(wait, changed);
              });
    }
    return pass(call, metered);
  }

  private Object refuse(LimitedCall call, Metered metered) throws Throwable {
    RateLimitExceededException thrown = exceeded.apply(metered);
    Fallback fallback = metered.deciding().fallback();
    if (fallback == Fallback.NONE) {
      thrown.retryAfter().ifPresent(wait -> call.tell(web -> web.tellToRetryAfter(wait)));
    }
    MethodInvocation invocation = call.invocation();
    return fallback.answer(invocation.getThis(), invocation.getArguments(), thrown);
  }
}
