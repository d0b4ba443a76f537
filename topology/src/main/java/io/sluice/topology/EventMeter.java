package io.sluice.topology;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Claim;
import io.sluice.limiter.Metering;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.redis.RedisMeter;
import java.util.ArrayList;
import java.util.List;

/**
 * Meters one event against every limit that matches it, wherever the limit counts: all or nothing.
 */
final class EventMeter {
  private final Metered metered;
  private final RowMeter rows;

  EventMeter(Metered metered, RowMeter rows) {
    this.metered = metered;
    this.rows = rows;
  }

  Verdict meter(EventView event, long nowMs) {
    List<Limit> stored = matching(metered.stored(), event);
    List<Limit> remote = matching(metered.remote(), event);
    if (stored.isEmpty() && remote.isEmpty()) return Verdict.unmatched(metered.rejectsUnmatched());

    Arrival arrival = arrival(event, nowMs);
    if (remote.isEmpty()) {
      List<Claim> claims = claims(stored, event);
      return Verdict.of(rows.meter(arrival, claims), stored, claims);
    }
    if (stored.isEmpty()) {
      List<Claim> claims = claims(remote, event);
      return Verdict.of(redis().meter(RedisMeter.Request.of(arrival, claims)), remote, claims);
    }
    return meterBoth(event, arrival, stored, remote);
  }

  /**
   * First the state store is asked, which changes nothing, then Redis decides, and last the state
   * store follows. If Redis does not answer, nothing is charged here; if this task dies in between,
   * Redis recognises the event when it comes again.
   */
  private Verdict meterBoth(
      EventView event, Arrival arrival, List<Limit> stored, List<Limit> remote) {
    List<Claim> storedClaims = claims(stored, event);
    List<Claim> remoteClaims = claims(remote, event);
    Metering probe = rows.probe(arrival, storedClaims);
    boolean conforms = probe.conforms();
    Outcome there =
        redis()
            .meter(
                new RedisMeter.Request(
                    arrival, remoteClaims, conforms ? probe.atMicros() : 0, !conforms));
    Outcome here = there.admitted() ? probe.admit(there.atMicros()) : probe.refuse();
    return Verdict.of(here.and(there), joined(stored, remote), joined(storedClaims, remoteClaims));
  }

  private RedisMeter redis() {
    return metered.redis().get();
  }

  private static List<Limit> matching(List<Limit> limits, EventView event) {
    List<Limit> matching = List.of();
    for (Limit limit : limits) {
      if (!limit.match().matches(event)) continue;
      if (matching.isEmpty()) matching = new ArrayList<>(limits.size());
      matching.add(limit);
    }
    return matching;
  }

  private static List<Claim> claims(List<Limit> limits, EventView event) {
    List<Claim> claims = new ArrayList<>(limits.size());
    for (Limit limit : limits) claims.add(limit.claim(event));
    return claims;
  }

  private Arrival arrival(EventView event, long nowMs) {
    // By the wall clock, the event's own time says nothing about when it can have been metered
    // before.
    long sinceMs = metered.byWallClock() ? 0 : event.occurredAtMs();
    return new Arrival(event.eventId(), event.cost(), nowMs * 1_000, sinceMs * 1_000);
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first.size() + second.size());
    all.addAll(first);
    all.addAll(second);
    return all;
  }
}
