package io.sluice.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Rule that is changed again and again: raised, lowered, put back, given another period, reset; at
 * once, ahead, several times in one window or at one instant, and, if allowed, too late.
 */
public final class Revisions {
  private final Rule before;
  private final Scenarios.Limit limit;
  private final boolean late;
  private final SplittableRandom random;
  private List<Change> changes = List.of();
  private Rule rule;

  Revisions(Rule before, Scenarios.Limit limit, boolean late, long seed) {
    this.before = before;
    this.limit = limit;
    this.late = late;
    random = new SplittableRandom(seed);
    rule = before;
  }

  /** Returns the rule with all changes known so far. */
  public Rule rule() {
    return rule;
  }

  /** Gives the instants of the changes to the traffic. */
  void hint(Traffic traffic) {
    for (Change each : changes) traffic.edge(each.atMicros());
  }

  List<Change> changes() {
    return changes;
  }

  /**
   * Adds one or more changes.
   *
   * @param latestMicros the latest instant of an arrival: a change that is not after it is late
   * @return a quota that is soon in force
   */
  Quota revise(long latestMicros) {
    Quota soon = before.quota();
    List<Change> more = new ArrayList<>(changes);
    for (int left = random.nextInt(4) == 0 ? 4 : 1; left > 0; left--) {
      long at = instant(latestMicros);
      if (at >= Arrival.LATEST_MICROS) continue;
      if (random.nextInt(8) == 0) {
        more.add(new Change.Reset(at));
        continue;
      }
      soon = quota();
      more.add(new Change.Numbers(at, soon, patience(soon), block(soon)));
      if (random.nextInt(8) > 0) continue;
      more.add(new Change.Numbers(at, before.quota(), patience(soon), block(soon)));
    }
    changes = List.copyOf(more);
    rule = before.changing(changes);
    return soon;
  }

  private long instant(long latestMicros) {
    long period = rule.at(latestMicros).quota().periodMicros();
    if (late && random.nextBoolean()) return Math.max(0, latestMicros - random.nextLong(period));
    return latestMicros
        + 1
        + switch (random.nextInt(4)) {
          case 0 -> 0;
          case 1 -> random.nextLong(2 * period);
          default -> random.nextLong(period) / 16;
        };
  }

  private long patience(Quota quota) {
    return before.shapes() ? 1 + random.nextLong(4 * quota.periodMicros()) : 0;
  }

  /** Returns the length of a block, sometimes 0, which must not shorten a running block. */
  private long block(Quota quota) {
    boolean blocks = limit.way().blocks() && random.nextInt(4) > 0;
    return blocks ? 1 + random.nextLong(quota.periodMicros()) : 0;
  }

  private Quota quota() {
    Quota was = before.quota();
    Quota other = Scenarios.anyQuota(limit, random);
    return switch (limit.algorithm()) {
      case GCRA -> random.nextInt(4) == 0 ? was.withBurst(burst(was)) : scaled(other);
      // Permits stay if attempts count, because attempts beyond them are not all kept: see the
      // rationale.
      case SLIDING_WINDOW_LOG ->
          before.countsAttempts()
              ? new Quota(was.permits(), other.periodMicros(), 1)
              : scaled(other);
      case DISTINCT_LOG, HYPERLOGLOG -> scaled(other);
      // If changes may be late the period stays, because a counter does not store the one it
      // counted in.
      case SLIDING_WINDOW_COUNTER, CALENDAR_WINDOW ->
          late || random.nextBoolean()
              ? new Quota(other.permits(), was.periodMicros(), 1, was.unit())
              : other;
      // The generation that an arrival falls into would depend on the arrivals of other keys.
      case BLOOM -> was;
    };
  }

  /** Returns a burst that drains in time, also at a rate of one permit a year. */
  private long burst(Quota quota) {
    long most = Quota.MOST_PERIOD_MICROS / quota.periodMicros() * quota.permits();
    return Math.min(1 + random.nextInt(20), Math.max(1, most));
  }

  /** Returns a quota that is often near to the original one, so that earlier use still matters. */
  private Quota scaled(Quota other) {
    Quota was = before.quota();
    return switch (random.nextInt(4)) {
      case 0 -> other;
      case 1 -> was;
      case 2 -> new Quota(was.permits(), Math.min(2 * was.periodMicros(), 1L << 48), was.burst());
      default ->
          new Quota(
              1 + random.nextLong(Math.min(2 * was.permits(), 1L << 31)), was.periodMicros(), 1);
    };
  }
}
