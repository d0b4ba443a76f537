package io.sluice.spring.metering;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.spring.method.Ask;
import io.sluice.topology.revision.CurrentLimits;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

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
  private final Function<Request, Optional<Outcome>> redis;
  private final CurrentLimits limits;
  private final InstantSource clock;

  /**
   * @param redis answers nothing if it cannot be had
   * @param limits those of the configuration, as revisions make them
   */
  public CallMeter(
      Function<Request, Optional<Outcome>> redis, CurrentLimits limits, InstantSource clock) {
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
    Instant now = clock.instant();
    Claims claims = Claims.of(asks, limits.now(), now.toEpochMilli());
    Arrival arrival = new Arrival("", cost, micros(now));
    return claims.denying().isEmpty()
        ? meter(arrival, claims.metered())
        : denied(arrival, claims.denying());
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

  private Metered meter(Arrival arrival, List<Claim> claims) {
    List<Claim> near = claims.stream().filter(claim -> !claim.isRemote()).toList();
    List<Claim> far = claims.stream().filter(Claim::isRemote).toList();
    if (far.isEmpty()) return new Metered(near, heap.meter(arrival, here(near), Standing.NONE));
    Standing here = near.isEmpty() ? Standing.NONE : heap.standing(arrival, here(near));
    return redis
        .apply(new Request(arrival, buckets(far), here, Position.NONE))
        .map(there -> settle(arrival, near, far, there))
        .orElseGet(() -> withoutRedis(arrival, claims));
  }

  /** Nothing fits, so no wait helps; and nothing is asked or charged. */
  private static Metered denied(Arrival arrival, List<Claim> denying) {
    Judgement no =
        new Judgement(arrival.nowMicros(), new Decision.Oversized(arrival.cost(), 0, 0, 0));
    List<Judgement> judgements = Collections.nCopies(denying.size(), no);
    return new Metered(denying, new Outcome(Outcome.Kind.REFUSED, 0, judgements));
  }

  private Metered settle(Arrival arrival, List<Claim> near, List<Claim> far, Outcome there) {
    if (near.isEmpty()) return new Metered(far, there);
    Standing standing = there.admitted() ? Standing.conforming(0) : Standing.refusing();
    Outcome here = heap.meter(arrival, here(near), standing);
    List<Claim> both = new ArrayList<>(near);
    both.addAll(far);
    return new Metered(both, here.and(there));
  }

  private Metered withoutRedis(Arrival arrival, List<Claim> claims) {
    List<Claim> counted = new ArrayList<>();
    for (Claim claim : claims) {
      if (!claim.isRemote()) counted.add(claim);
      else ifUnavailable(claim).ifPresent(counted::add);
    }
    return new Metered(counted, heap.meter(arrival, here(counted), Standing.NONE));
  }

  /** What is asked here in its place, if anything is. */
  private static Optional<Claim> ifUnavailable(Claim claim) {
    return switch (claim.inForce().redisUnavailable()) {
      case ALLOW -> Optional.empty();
      case STATE_STORE -> Optional.of(claim);
      case REJECT, WAIT -> {
        if (!claim.isEnforced()) yield Optional.empty(); // it only watches
        throw new LimiterUnavailableException(
            "Redis does not answer, and the limit " + claim.name() + " rejects meanwhile", null);
      }
    };
  }

  private static List<Bucket> buckets(List<Claim> claims) {
    return claims.stream().map(Claim::bucket).toList();
  }

  private static List<Bucket> here(List<Claim> claims) {
    return claims.stream().map(Claim::bucketHere).toList();
  }
}
