package io.sluice.spring.metering;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Metering of one call: prepares the request to Redis, then combines the answer of Redis, or its
 * absence, with the limits in this process. Independent of the thread that asks Redis.
 */
final class CallMetering {
  private final HeapMeter heap;
  private final Arrival arrival;
  private final Claims claims;
  private final List<Claim> near;
  private final List<Claim> far;

  CallMetering(HeapMeter heap, Arrival arrival, Claims claims) {
    this.heap = heap;
    this.arrival = arrival;
    this.claims = claims;
    near = claims.metered().stream().filter(claim -> !claim.isRemote()).toList();
    far = claims.metered().stream().filter(Claim::isRemote).toList();
  }

  /** Whether Redis must be asked to meter the call. */
  boolean asksRedis() {
    return claims.denying().isEmpty() && !far.isEmpty();
  }

  /**
   * Whether limits in this process also judge the call. The request to Redis then contains their
   * current decision.
   */
  boolean asksHereToo() {
    return !near.isEmpty();
  }

  /**
   * Returns this metering without its shadow limits in Redis: a key of a shadow limit that Redis
   * cannot use must not decide about the call. Empty if there are no such limits, or if no other
   * limits are in Redis.
   */
  Optional<CallMetering> withoutShadows() {
    List<Claim> left =
        claims.metered().stream().filter(claim -> !claim.isRemote() || claim.isEnforced()).toList();
    boolean asks = left.stream().anyMatch(Claim::isRemote);
    if (!asks || left.size() == claims.metered().size()) return Optional.empty();
    return Optional.of(new CallMetering(heap, arrival, new Claims(left, claims.denying())));
  }

  /** Meters a call for which Redis need not be asked, against the limits in this process. */
  Metered settle() {
    return claims.denying().isEmpty()
        ? new Metered(near, heap.meter(arrival, here(near), Standing.NONE))
        : denied();
  }

  /**
   * Returns the result for a call that a revision (a dated change of a limit) denies: refused with
   * a capacity of 0 permits, since no wait helps. No limit is charged.
   */
  private Metered denied() {
    Judgement no =
        new Judgement(arrival.nowMicros(), new Decision.Oversized(arrival.cost(), 0, 0, 0));
    List<Judgement> judgements = Collections.nCopies(claims.denying().size(), no);
    return new Metered(claims.denying(), new Outcome(Outcome.Kind.REFUSED, 0, judgements));
  }

  /**
   * Returns the request to Redis, with the current decision of the limits in this process. Charges
   * no limit.
   */
  Request request() {
    Standing here = near.isEmpty() ? Standing.NONE : heap.standing(arrival, here(near));
    return new Request(arrival, buckets(far), here, Position.NONE);
  }

  /**
   * Completes the metering with the answer of Redis; empty if Redis did not answer.
   *
   * @throws LimiterUnavailableException if Redis did not answer, and a limit rejects calls in that
   *     case
   */
  Metered settle(Optional<Outcome> there) {
    return there.map(this::settle).orElseGet(() -> withoutRedis(CallMetering::rejection));
  }

  /**
   * Completes the metering of a call if Redis cannot use one of its keys, as if Redis did not
   * answer.
   *
   * @throws UnreadableKeyException if a limit rejects calls in that case
   */
  Metered settle(UnreadableKeyException why) {
    return withoutRedis(claim -> why);
  }

  private Metered settle(Outcome there) {
    if (near.isEmpty()) return new Metered(far, there);
    Standing standing = there.admitted() ? Standing.conforming(0) : Standing.refusing();
    Outcome here = heap.meter(arrival, here(near), standing);
    List<Claim> both = new ArrayList<>(near);
    both.addAll(far);
    return new Metered(both, here.and(there));
  }

  private static LimiterUnavailableException rejection(Claim claim) {
    return new LimiterUnavailableException(
        "Redis is unavailable, and the limit " + claim.name() + " rejects until it is back", null);
  }

  private Metered withoutRedis(Function<Claim, LimiterUnavailableException> rejection) {
    List<Claim> counted = new ArrayList<>();
    for (Claim claim : claims.metered()) {
      if (!claim.isRemote()) counted.add(claim);
      else ifUnavailable(claim, rejection).ifPresent(counted::add);
    }
    return new Metered(counted, heap.meter(arrival, here(counted), Standing.NONE));
  }

  /**
   * Returns a limit in Redis as one to meter in this process while Redis is unavailable; empty if
   * calls then pass without this limit.
   */
  private static Optional<Claim> ifUnavailable(
      Claim claim, Function<Claim, LimiterUnavailableException> rejection) {
    return switch (claim.inForce().redisUnavailable()) {
      case ALLOW -> Optional.empty();
      case STATE_STORE -> Optional.of(claim);
      case REJECT, WAIT -> {
        if (!claim.isEnforced()) yield Optional.empty(); // a limit in shadow mode never rejects
        throw rejection.apply(claim);
      }
    };
  }

  private static List<Bucket> here(List<Claim> claims) {
    return claims.stream().map(Claim::bucketHere).toList();
  }

  private static List<Bucket> buckets(List<Claim> claims) {
    return claims.stream().map(Claim::bucket).toList();
  }
}
