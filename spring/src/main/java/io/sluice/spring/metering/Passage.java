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
 * A call on its way through its limits: what Redis is to be asked, and what follows from its answer
 * or from having none. All of this is decided here, whichever thread asks Redis.
 */
final class Passage {
  private final HeapMeter heap;
  private final Arrival arrival;
  private final Claims claims;
  private final List<Claim> near;
  private final List<Claim> far;

  Passage(HeapMeter heap, Arrival arrival, Claims claims) {
    this.heap = heap;
    this.arrival = arrival;
    this.claims = claims;
    near = claims.metered().stream().filter(claim -> !claim.isRemote()).toList();
    far = claims.metered().stream().filter(Claim::isRemote).toList();
  }

  /** Whether it has to be asked in Redis. */
  boolean asksRedis() {
    return claims.denying().isEmpty() && !far.isEmpty();
  }

  /** Whether what Redis is asked depends on the limits in this process. */
  boolean asksHereToo() {
    return !near.isEmpty();
  }

  /**
   * The passage without the limits in Redis that only watch, if there are any, and others there: an
   * error of their keys must not decide about the call.
   */
  Optional<Passage> withoutShadows() {
    List<Claim> left =
        claims.metered().stream().filter(claim -> !claim.isRemote() || claim.isEnforced()).toList();
    boolean asks = left.stream().anyMatch(Claim::isRemote);
    if (!asks || left.size() == claims.metered().size()) return Optional.empty();
    return Optional.of(new Passage(heap, arrival, new Claims(left, claims.denying())));
  }

  /** The end of a call that Redis is not asked about. */
  Metered settle() {
    return claims.denying().isEmpty()
        ? new Metered(near, heap.meter(arrival, here(near), Standing.NONE))
        : denied();
  }

  /** Nothing fits, so no wait helps; and nothing is asked or charged. */
  private Metered denied() {
    Judgement no =
        new Judgement(arrival.nowMicros(), new Decision.Oversized(arrival.cost(), 0, 0, 0));
    List<Judgement> judgements = Collections.nCopies(claims.denying().size(), no);
    return new Metered(claims.denying(), new Outcome(Outcome.Kind.REFUSED, 0, judgements));
  }

  /** What Redis is asked, with regard to what this process says now. Charges nothing. */
  Request request() {
    Standing here = near.isEmpty() ? Standing.NONE : heap.standing(arrival, here(near));
    return new Request(arrival, buckets(far), here, Position.NONE);
  }

  /**
   * The end of a call that Redis has answered, or has not.
   *
   * @throws LimiterUnavailableException if it has not, and a limit then rejects
   */
  Metered settle(Optional<Outcome> there) {
    return there.map(this::settle).orElseGet(() -> withoutRedis(Passage::rejection));
  }

  /**
   * The end of a call one of whose keys Redis cannot use. It does as if Redis did not answer.
   *
   * @throws UnreadableKeyException if a limit then rejects
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
        "Redis does not answer, and the limit " + claim.name() + " rejects meanwhile", null);
  }

  private Metered withoutRedis(Function<Claim, LimiterUnavailableException> rejection) {
    List<Claim> counted = new ArrayList<>();
    for (Claim claim : claims.metered()) {
      if (!claim.isRemote()) counted.add(claim);
      else ifUnavailable(claim, rejection).ifPresent(counted::add);
    }
    return new Metered(counted, heap.meter(arrival, here(counted), Standing.NONE));
  }

  /** What is asked here in its place, if anything is. */
  private static Optional<Claim> ifUnavailable(
      Claim claim, Function<Claim, LimiterUnavailableException> rejection) {
    return switch (claim.inForce().redisUnavailable()) {
      case ALLOW -> Optional.empty();
      case STATE_STORE -> Optional.of(claim);
      case REJECT, WAIT -> {
        if (!claim.isEnforced()) yield Optional.empty(); // it only watches
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
