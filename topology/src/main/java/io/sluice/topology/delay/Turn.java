package io.sluice.topology.delay;

import java.util.List;

/**
 * Position of a delayed event in the order of the events with the same keys, which must not
 * overtake it.
 *
 * @param ticket hash of the event's origin, which distinguishes it from other events with the same
 *     keys
 * @param keys store keys, in {@link KeyOrder}, of the event's keys; empty if later events may
 *     overtake the event
 */
public record Turn(long ticket, List<byte[]> keys) {
  /**
   * Position of an event that later events may overtake, such as an event that another application
   * scheduled.
   */
  public static final Turn NONE = new Turn(0, List.of());
}
