package io.sluice.spring.metering;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.spring.method.Ask;
import io.sluice.topology.revision.CurrentLimits;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A meter of calls against several limits at once, some in this process and some in Redis. Safe for
 * many threads.
 *
 * <p>A call is charged to every limit or to none. Only if a call at the same instant takes the last
 * permit in this process, between what it says and what Redis says, Redis is charged for a call
 * that is refused: never the other way round. What revisions say is looked at once for each call,
 * so it never changes in the middle of one.
 */
public final class CallMeter {
  private final HeapMeter heap;
  private final FarMeter redis;
  private final CurrentLimits limits;
  private final InstantSource clock;

  /**
   * @param limits those of the configuration, as revisions make them
   */
  public CallMeter(FarMeter redis, CurrentLimits limits, InstantSource clock) {
    this.redis = redis;
    this.limits = limits;
    this.clock = clock;
    heap = new HeapMeter((name, algorithm, key) -> limits.now().rule(name, algorithm, key));
  }

  /**
   * Meters one call that costs so much; 0 only asks, which no caller's data can.
   *
   * @throws LimiterUnavailableException if Redis does not answer, and a limit then rejects
   */
  public Metered meter(List<Ask> asks, long cost) {
    return meter(passage(asks, cost));
  }

  private Metered meter(Passage passage) {
    if (!passage.asksRedis()) return passage.settle();
    Optional<Outcome> there;
    try {
      there = redis.meter(passage.request());
    } catch (UnreadableKeyException e) {
      Optional<Passage> acting = passage.withoutShadows();
      return acting.isPresent() ? meter(acting.get()) : passage.settle(e);
    }
    return passage.settle(there);
  }

  /**
   * Meters one call, as {@link #meter} does, without holding a thread until Redis has answered. The
   * future fails with what that throws. Whoever cancels it before Redis is asked is not charged;
   * later, that changes nothing but the future.
   *
   * <p>What hangs on the future may be run by the thread that asks Redis, and holds up all others.
   *
   * @param listener told of the call when it is metered
   */
  public CompletableFuture<Metered> meterLater(
      List<Ask> asks, long cost, MeteredListener listener) {
    try {
      Passage passage = passage(asks, cost);
      LateCall call = new LateCall(passage, listener);
      if (passage.asksRedis()) redis.meter(call);
      else call.answerWithoutAsking();
      return call.metered();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Passage passage(List<Ask> asks, long cost) {
    Instant now = clock.instant();
    Claims claims = Claims.of(asks, limits.now(), now.toEpochMilli());
    return new Passage(heap, new Arrival("", cost, micros(now)), claims);
  }

  /**
   * What tells from now on whether revisions have changed by what such a call is metered, so that
   * it may conform sooner than it was told. It meters nothing, and any thread may ask it.
   */
  public BooleanSupplier changes(List<Ask> asks) {
    Terms before = terms(asks);
    return () -> !terms(asks).equals(before);
  }

  private Terms terms(List<Ask> asks) {
    Instant now = clock.instant();
    return Terms.of(Claims.of(asks, limits.now(), now.toEpochMilli()), micros(now));
  }

  private static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
