package io.sluice.spring.proxy;

import io.sluice.spring.metering.Metered;
import io.sluice.spring.method.LimitedMethod;
import io.sluice.spring.web.WebCall;
import io.sluice.spring.web.WebFluxCall;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Calls of limited methods that return a {@code Mono} or {@code Flux}, and of Kotlin's suspend
 * functions, which Spring's proxies call as if they returned a {@code Mono}. Each subscription is
 * metered, and no thread blocks while Redis is asked.
 */
final class ReactiveCalls {
  private static final boolean WEB =
      ClassUtils.isPresent(
          "org.springframework.web.server.WebFilter", ReactiveCalls.class.getClassLoader());

  private ReactiveCalls() {}

  static boolean handle(Method method) {
    Class<?> returned = method.getReturnType();
    return returned == Mono.class
        || returned == Flux.class
        || returned == Publisher.class
        || KotlinDetector.isSuspendingFunction(method);
  }

  /**
   * Returns a publisher that meters a call of the method at each subscription.
   *
   * @param assembling web request of the calling thread, used if the subscription's context has
   *     none
   */
  static Object invoke(
      LimitedCallGuard guard,
      LimitedMethod limited,
      MethodInvocation invocation,
      WebCall assembling) {
    Mono<WebCall> web =
        Mono.deferContextual(context -> WEB ? WebFluxCall.in(context) : Mono.just(WebCall.NONE))
            .map(found -> found == WebCall.NONE ? assembling : found);
    Mono<LimitedCallGuard.LimitedCall> call =
        web.map(found -> guard.limitedCall(limited, again(invocation), found));
    Class<?> returned = limited.method().getReturnType();
    boolean one = returned != Flux.class && returned != Publisher.class;
    return one
        ? call.flatMap(
            each -> meter(guard, limited, each).flatMap(m -> Mono.from(proceed(guard, each, m))))
        : call.flatMapMany(
            each -> meter(guard, limited, each).flatMapMany(m -> proceed(guard, each, m)));
  }

  /** Copies an invocation: it can proceed only once, but a publisher may have many subscribers. */
  private static MethodInvocation again(MethodInvocation invocation) {
    return invocation instanceof ProxyMethodInvocation proxied
        ? proxied.invocableClone()
        : invocation;
  }

  private static Mono<Metered> meter(
      LimitedCallGuard guard, LimitedMethod limited, LimitedCallGuard.LimitedCall call) {
    Mono<Metered> metered = Mono.fromFuture(() -> guard.meterLater(call));
    return limited.asksRedis() ? metered.publishOn(Schedulers.parallel()) : metered;
  }

  private static Publisher<Object> proceed(
      LimitedCallGuard guard, LimitedCallGuard.LimitedCall call, Metered metered) {
    try {
      Object value = guard.pass(call, metered);
      return value instanceof Publisher<?> publisher
          ? Flux.from(publisher).cast(Object.class)
          : Mono.error(new IllegalStateException("returned null instead of a Publisher"));
    } catch (Throwable e) {
      return Mono.error(e);
    }
  }
}
