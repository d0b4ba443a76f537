package io.sluice.spring.metering;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Rule;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.spring.method.Ask;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Meters method calls against several limits at once, some in this process and some in Redis.
 * Thread-safe.
 *
 * <p>A call is charged to all limits or to none, with one exception: if a concurrent call takes the
 * last permit in this process while Redis is being asked, Redis is charged for a refused call. The
 * reverse never happens: a call that Redis refuses takes no permit in this process, except of
 * limits that count attempts. Revisions (dated changes of limits) are read once for each call, so
 * limits do not change while a call is metered.
 */
public final class CallMeter {
  private final HeapMeter heap;
  private final RedisCallMeter redis;
  private final CurrentLimits limits;
  private final InstantSource clock;

  /**
   * @param limits limits of the configuration, with the revisions (dated changes) applied to them
   */
  public CallMeter(RedisCallMeter redis, CurrentLimits limits, InstantSource clock) {
    this.redis = redis;
    this.limits = limits;
    this.clock = clock;
    heap = new HeapMeter((name, algorithm, key) -> limits.now().rule(name, algorithm, key));
  }

  /**
   * Meters a call with a cost in permits. A cost of 0 only reads the state of the limits; the cost
   * of a method's call is at least 1.
   *
   * @throws LimiterUnavailableException if Redis does not answer, and a limit rejects calls in that
   *     case
   */
  public Metered meter(List<Ask> asks, long cost) {
    return meter(metering(asks, cost));
  }

  private Metered meter(CallMetering metering) {
    if (!metering.asksRedis()) return metering.settle();
    Optional<Outcome> there;
    try {
      there = redis.meter(metering.request());
    } catch (UnreadableKeyException e) {
      Optional<CallMetering> acting = metering.withoutShadows();
      return acting.isPresent() ? meter(acting.get()) : metering.settle(e);
    }
    return metering.settle(there);
  }

  /**
   * Meters a call like {@link #meter}, but without blocking a thread until Redis answers. The
   * future fails with the exception that {@link #meter} would throw. A call whose future is
   * cancelled before Redis is asked is not charged; a later cancellation has no effect on the
   * limits.
   *
   * <p>Stages that depend on the future may run on the thread that sends requests to Redis, and
   * then delay all other calls.
   *
   * @param listener receives the call when it is metered
   */
  public CompletableFuture<Metered> meterLater(
      List<Ask> asks, long cost, MeteredListener listener) {
    try {
      CallMetering metering = metering(asks, cost);
      LateCall call = new LateCall(metering, listener);
      if (metering.asksRedis()) redis.meter(call);
      else call.answerWithoutAsking();
      return call.metered();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CallMetering metering(List<Ask> asks, long cost) {
    Instant now = clock.instant();
    Claims claims = Claims.of(asks, limits.now(), now.toEpochMilli());
    return new CallMetering(heap, new Arrival("", cost, micros(now)), claims);
  }

  /**
   * Returns a condition, false at first, that becomes true when revisions (dated changes of limits)
   * change how a call with these keys is metered, so that a refused call may conform earlier than
   * announced. Evaluating the condition meters nothing; thread-safe.
   */
  public BooleanSupplier changes(List<Ask> asks) {
    RulesNow before = rulesNow(asks);
    return () -> !rulesNow(asks).equals(before);
  }

  /**
   * Rules by which limits judge a call at an instant, for comparison with another instant. The rule
   * in a {@link Claim} contains all its scheduled changes, so the rules in force at the instant are
   * kept separately.
   *
   * @param resetMicros time of each limit's last reset
   */
  private record RulesNow(Claims claims, List<Rule> inForce, List<Long> resetMicros) {}

  private RulesNow rulesNow(List<Ask> asks) {
    Instant now = clock.instant();
    Claims claims = Claims.of(asks, limits.now(), now.toEpochMilli());
    List<Rule> rules = claims.metered().stream().map(Claim::rule).toList();
    return new RulesNow(
        claims,
        rules.stream().map(rule -> rule.at(micros(now))).toList(),
        rules.stream().map(rule -> rule.schedule().begunAnewAt(micros(now))).toList());
  }

  private static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
