package io.sluice.limiter.rows;

import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * The conditions under which rows are metered, which matter to limits that have filters.
 *
 * @param parts over how many stores the keys of a limit are spread, this one included: each has a
 *     part of the capacity
 * @param repeats whether the rows may hold what an arrival has changed when it comes again, as if
 *     for the first time: not if both are undone together
 * @param earliest the instant before which no arrival will come, microseconds, when one comes at a
 *     given instant
 * @param grown told of a limit when a filter of it is beyond its capacity, once for a generation
 */
public record Conditions(
    int parts, boolean repeats, LongUnaryOperator earliest, Consumer<String> grown) {
  private static final long TEN_MINUTES = 600_000_000;

  /** Of rows that are all there are; an arrival may be ten minutes late. */
  public static final Conditions ALONE =
      new Conditions(1, true, now -> now - TEN_MINUTES, limit -> {});

  public Conditions {
    if (parts < 1) throw new IllegalArgumentException("there is at least one part: " + parts);
  }

  /** The same, where something else tells how early an arrival may be. */
  public Conditions with(LongUnaryOperator newEarliest) {
    return new Conditions(parts, repeats, newEarliest, grown);
  }
}
