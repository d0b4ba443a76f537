package io.sluice.rules.limit;

import java.util.List;
import java.util.Optional;

/**
 * Limits by which an event is metered, or its verdict if no metering is needed.
 *
 * @param stored limits that count in the state store
 * @param remote limits that count in Redis
 * @param settled verdict, if the event is not metered
 */
public record Matching(List<Limit> stored, List<Limit> remote, Optional<Verdict> settled) {
  /** Returns the result for an event that is metered by these limits, at least one. */
  public static Matching of(List<Limit> stored, List<Limit> remote) {
    return new Matching(stored, remote, Optional.empty());
  }

  /** Returns the result for an event that is metered by this limit alone. */
  public static Matching alone(Limit limit) {
    return limit.backend() == Limit.Backend.REDIS
        ? of(List.of(), List.of(limit))
        : of(List.of(limit), List.of());
  }

  /** Returns the first limit; limits on the state store come before limits in Redis. */
  public Limit first() {
    return stored.isEmpty() ? remote.get(0) : stored.get(0);
  }

  /** Returns the result for an event that gets this verdict without metering. */
  public static Matching settled(Verdict verdict) {
    return new Matching(List.of(), List.of(), Optional.of(verdict));
  }
}
