package io.sluice.topology.delay;

import java.util.List;

/**
 * Place of a delayed event among the events that must not overtake it.
 *
 * @param ticket hash that tells the event from others with the same keys
 * @param keys rows in {@link KeyOrder} of the shaped keys that it was metered by; empty if it is in
 *     no order
 */
record Turn(long ticket, List<byte[]> keys) {
  /** Turn of an event that is in no order, such as one that another application scheduled. */
  static final Turn NONE = new Turn(0, List.of());
}
