package io.sluice.spring.metering;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.spring.method.Ask;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A meter of calls against several limits at once, some in this process and some in Redis. Safe for
 * many threads.
 *
 * <p>A call is charged to every limit or to none. Only if a call at the same instant takes the last
 * permit in this process, between what it says and what Redis says, Redis is charged for a call
 * that is refused: never the other way round.
 */
public final class CallMeter {
  private final HeapMeter heap = new HeapMeter();
  private final Function<Request, Optional<Outcome>> redis;
  private final InstantSource clock;

  /**
   * @param redis answers nothing if it cannot be had
   */
  public CallMeter(Function<Request, Optional<Outcome>> redis, InstantSource clock) {
    this.redis = redis;
    this.clock = clock;
  }

  /**
   * Meters one call that costs so much; 0 only asks, which no caller's data can.
   *
   * @throws LimiterUnavailableException if Redis does not answer, and a limit then rejects
   */
  public Metered meter(List<Ask> asks, long cost) {
    Instant now = clock.instant();
    long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    Arrival arrival = new Arrival("", cost, micros);
    List<Ask> near = asks.stream().filter(ask -> !ask.isRemote()).toList();
    List<Ask> far = asks.stream().filter(Ask::isRemote).toList();
    if (far.isEmpty()) return new Metered(near, heap.meter(arrival, buckets(near), Standing.NONE));
    Standing here = near.isEmpty() ? Standing.NONE : heap.standing(arrival, buckets(near));
    return redis
        .apply(new Request(arrival, buckets(far), here, Position.NONE))
        .map(there -> settle(arrival, near, far, there))
        .orElseGet(() -> withoutRedis(arrival, asks));
  }

  private Metered settle(Arrival arrival, List<Ask> near, List<Ask> far, Outcome there) {
    if (near.isEmpty()) return new Metered(far, there);
    Standing standing = there.admitted() ? Standing.conforming(0) : Standing.refusing();
    Outcome here = heap.meter(arrival, buckets(near), standing);
    List<Ask> both = new ArrayList<>(near);
    both.addAll(far);
    return new Metered(both, here.and(there));
  }

  private Metered withoutRedis(Arrival arrival, List<Ask> asks) {
    List<Ask> counted = new ArrayList<>();
    for (Ask ask : asks) {
      if (!ask.isRemote()) counted.add(ask);
      else ifUnavailable(ask).ifPresent(counted::add);
    }
    return new Metered(counted, heap.meter(arrival, buckets(counted), Standing.NONE));
  }

  /** What is asked here in its place, if anything is. */
  private static Optional<Ask> ifUnavailable(Ask ask) {
    return switch (ask.limit().limit().redisUnavailable()) {
      case ALLOW -> Optional.empty();
      case STATE_STORE -> Optional.of(ask);
      case REJECT, WAIT -> {
        if (!ask.limit().isEnforced()) yield Optional.empty(); // it only watches
        throw new LimiterUnavailableException(
            "Redis does not answer, and the limit " + ask.limit().name() + " rejects meanwhile",
            null);
      }
    };
  }

  private static List<Bucket> buckets(List<Ask> asks) {
    return asks.stream().map(Ask::bucket).toList();
  }
}
