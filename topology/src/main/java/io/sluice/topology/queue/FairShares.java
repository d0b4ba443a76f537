package io.sluice.topology.queue;

import java.util.HashMap;
import java.util.Map;

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996) among the tenants at a gate, for each class
 * by itself. The tenant whose next turn begins first in virtual time is next; a turn lasts for cost
 * / weight. A tenant that has had nothing to ask for gains nothing by it. Not thread-safe.
 */
final class FairShares {
  /**
   * Most tenants without a waiting event whose last turn has not ended, before all of them are
   * forgotten, and begin at the present virtual time.
   */
  private static final int MOST_TENANTS = 10_000;

  private static final int LEAST_SWEPT = 16;

  private final double[] now;

  /** Ends of the last turns that are later than now. */
  private final Map<Share, Double> ends = new HashMap<>(2);

  private int sweepAt = LEAST_SWEPT;

  private record Share(int level, long tenant) {}

  FairShares(int classes) {
    now = new double[classes];
  }

  /** Returns the virtual time at which the next turn of a tenant begins. */
  double start(int level, long tenant) {
    return Math.max(now[level], ends.getOrDefault(new Share(level, tenant), 0.0));
  }

  /** Has the last turn of a tenant end later. */
  void charge(int level, long tenant, double share) {
    ends.put(new Share(level, tenant), start(level, tenant) + share);
  }

  /** Notes that a turn is used, which began at this virtual time. */
  void advance(int level, double start, int waiting) {
    now[level] = Math.max(now[level], start);
    if (ends.size() < sweepAt) return;
    ends.entrySet().removeIf(each -> each.getValue() <= now[each.getKey().level()]);
    if (ends.size() > 2 * waiting + MOST_TENANTS) ends.clear();
    sweepAt = LEAST_SWEPT + 2 * ends.size();
  }
}
