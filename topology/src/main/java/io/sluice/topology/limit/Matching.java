package io.sluice.topology.limit;

import java.util.List;
import java.util.Optional;

/**
 * The limits that an event is metered by, or its verdict, if that is known without metering.
 *
 * @param stored those that count in the state store
 * @param remote those that count in Redis
 * @param settled the verdict, if there is nothing to be metered
 */
public record Matching(List<Limit> stored, List<Limit> remote, Optional<Verdict> settled) {
  /** Limits to be metered by, at least one. */
  public static Matching of(List<Limit> stored, List<Limit> remote) {
    return new Matching(stored, remote, Optional.empty());
  }

  /** One limit, which alone is to be metered by. */
  public static Matching alone(Limit limit) {
    return limit.backend() == Limit.Backend.REDIS
        ? of(List.of(), List.of(limit))
        : of(List.of(limit), List.of());
  }

  /** The first of them. */
  public Limit first() {
    return stored.isEmpty() ? remote.get(0) : stored.get(0);
  }

  /** Nothing to be metered by. */
  public static Matching settled(Verdict verdict) {
    return new Matching(List.of(), List.of(), Optional.of(verdict));
  }
}
