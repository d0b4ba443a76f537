package io.sluice.limiter.rows;

import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * Conditions under which a meter uses its rows.
 *
 * @param parts number of stores over which the keys of a limit are spread, including this store:
 *     each gets a part of the capacity of the limit's Bloom filters
 * @param repeats whether an arrival can come again as if for the first time although the rows still
 *     have its changes; false if rows and answers are always undone together
 * @param earliest returns, for an arrival at a given instant, the instant before which no later
 *     arrival comes, both in epoch microseconds
 * @param grown called with the name of a limit when its Bloom filters for a quarter of a period
 *     exceed their capacity, once for each such quarter
 */
public record Conditions(
    int parts, boolean repeats, LongUnaryOperator earliest, Consumer<String> grown) {
  private static final long TEN_MINUTES = 600_000_000;

  /** Conditions of a single store, whose arrivals are up to ten minutes late. */
  public static final Conditions ALONE =
      new Conditions(1, true, now -> now - TEN_MINUTES, limit -> {});

  public Conditions {
    if (parts < 1) throw new IllegalArgumentException("there is at least one part: " + parts);
  }

  /**
   * Returns these conditions with another function for the instant before which no later arrival
   * comes.
   */
  public Conditions with(LongUnaryOperator newEarliest) {
    return new Conditions(parts, repeats, newEarliest, grown);
  }
}
