package io.sluice.spring.proxy;

import io.sluice.spring.metering.Metered;
import io.sluice.spring.method.LimitedMethod;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.web.WebCall;
import io.sluice.spring.web.WebCallSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** Advice around limited methods: a call that a limit refuses does not reach the method. */
public final class RateLimitInterceptor implements MethodInterceptor {
  private static final boolean REACTOR =
      ClassUtils.isPresent(
          "reactor.core.publisher.Mono", RateLimitInterceptor.class.getClassLoader());

  private final LimitedMethods methods;
  private final LimitedCallGuard guard;
  private final WebCallSource web;
  private final PatientCaller patient;
  private final BackgroundCalls background;

  /**
   * @param web supplies the web request of the calling thread
   * @param patient recognizes callers that wait and repeat a refused call
   * @param background runs asynchronous methods after Redis has answered
   */
  public RateLimitInterceptor(
      LimitedMethods methods,
      LimitedCallGuard guard,
      WebCallSource web,
      PatientCaller patient,
      BackgroundCalls background) {
    this.methods = methods;
    this.guard = guard;
    this.web = web;
    this.patient = patient;
    this.background = background;
  }

  @Override
  public Object invoke(MethodInvocation invocation) throws Throwable {
    Class<?> type = AopUtils.getTargetClass(invocation.getThis());
    LimitedMethod limited = methods.of(invocation.getMethod(), type);
    if (patient.calls(limited.method())) return inTurn(limited, invocation);
    if (REACTOR && ReactiveCalls.handle(limited.method())) {
      return ReactiveCalls.invoke(guard, limited, invocation, web.current());
    }
    Class<?> returned = limited.method().getReturnType();
    boolean later = returned == CompletionStage.class || returned == CompletableFuture.class;
    return later ? future(limited, invocation) : now(limited, invocation);
  }

  private Object now(LimitedMethod limited, MethodInvocation invocation) throws Throwable {
    LimitedCallGuard.LimitedCall call = guard.limitedCall(limited, invocation, web.current());
    return guard.pass(call, guard.meter(call));
  }

  private Object inTurn(LimitedMethod limited, MethodInvocation invocation) throws Throwable {
    LimitedCallGuard.LimitedCall call = guard.limitedCall(limited, invocation, WebCall.NONE);
    return guard.passInTurn(call);
  }

  private CompletableFuture<Object> future(LimitedMethod limited, MethodInvocation invocation) {
    LimitedCallGuard.LimitedCall call = guard.limitedCall(limited, invocation, web.current());
    Executor executor = limited.asksRedis() ? background::execute : Runnable::run;
    if (limited.asksRedis() && !background.take()) return byItsCaller(call);
    return guard
        .meterLater(call)
        .handleAsync((metered, failure) -> proceed(call, metered, failure), executor)
        .thenCompose(stage -> stage);
  }

  /**
   * Meters the call and calls the method on the caller's thread. This slows the caller down while
   * too many calls wait, and prevents calls from waiting for each other.
   */
  private CompletableFuture<Object> byItsCaller(LimitedCallGuard.LimitedCall call) {
    return CompletableFuture.supplyAsync(() -> guard.meter(call), Runnable::run)
        .thenCompose(metered -> proceed(call, metered));
  }

  /**
   * Continues an asynchronous call on the executor after metering. A failure of the metering is
   * passed on there too, because the caller's dependent stages must not run on the thread that
   * sends requests to Redis.
   */
  private CompletionStage<Object> proceed(
      LimitedCallGuard.LimitedCall call, Metered metered, Throwable failure) {
    return failure == null ? proceed(call, metered) : CompletableFuture.failedFuture(failure);
  }

  private CompletionStage<Object> proceed(LimitedCallGuard.LimitedCall call, Metered metered) {
    try {
      Object stage = guard.pass(call, metered);
      if (stage instanceof CompletionStage<?> known) return known.thenApply(value -> value);
      throw new IllegalStateException("returned null instead of a CompletionStage");
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
