package io.sluice.topology.delay;

import java.util.List;

/**
 * A delayed event's place among the events that must not overtake it.
 *
 * @param ticket tells the event from others with the same keys
 * @param keys the rows in {@link KeyOrder} of the shaped keys that it was metered by; none if
 *     nobody waits for it
 */
record Turn(long ticket, List<byte[]> keys) {
  /** Of an event that came from elsewhere. */
  static final Turn NONE = new Turn(0, List.of());
}
