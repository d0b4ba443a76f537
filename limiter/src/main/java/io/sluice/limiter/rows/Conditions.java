package io.sluice.limiter.rows;

import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * Conditions under which a meter uses its rows.
 *
 * @param parts number of stores over which the keys of a limit are spread, including this one: each
 *     gets a part of the capacity of filters
 * @param repeats whether the rows can still hold the changes of an arrival that comes again as if
 *     for the first time; false if rows and answers are undone together
 * @param earliest returns, for an arrival at a given instant, the instant before which no arrival
 *     will come, in microseconds
 * @param grown called with the name of a limit when a generation of its filters exceeds its
 *     capacity, once for each generation
 */
public record Conditions(
    int parts, boolean repeats, LongUnaryOperator earliest, Consumer<String> grown) {
  private static final long TEN_MINUTES = 600_000_000;

  /** Conditions of a single store, for arrivals that are up to ten minutes late. */
  public static final Conditions ALONE =
      new Conditions(1, true, now -> now - TEN_MINUTES, limit -> {});

  public Conditions {
    if (parts < 1) throw new IllegalArgumentException("there is at least one part: " + parts);
  }

  /** Returns these conditions with another bound for late arrivals. */
  public Conditions with(LongUnaryOperator newEarliest) {
    return new Conditions(parts, repeats, newEarliest, grown);
  }
}
