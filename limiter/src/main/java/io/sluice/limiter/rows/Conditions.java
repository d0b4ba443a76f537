package io.sluice.limiter.rows;

import java.util.function.Consumer;

/**
 * The conditions under which rows are metered, which matter to limits that have filters.
 *
 * @param parts over how many stores the keys of a limit are spread, this one included: each has a
 *     part of the capacity
 * @param repeats whether the rows may hold what an arrival has changed when it comes again, as if
 *     for the first time: not if both are undone together
 * @param lateMicros how much earlier than the latest one an arrival may be
 * @param grown told of a limit when a filter of it is beyond its capacity, once for a generation
 */
public record Conditions(int parts, boolean repeats, long lateMicros, Consumer<String> grown) {
  /** Of rows that are all there are; an arrival may be ten minutes late. */
  public static final Conditions ALONE = new Conditions(1, true, 600_000_000, limit -> {});

  public Conditions {
    if (parts < 1) throw new IllegalArgumentException("there is at least one part: " + parts);
    if (lateMicros < 0) throw new IllegalArgumentException("late by at least 0: " + lateMicros);
  }
}
