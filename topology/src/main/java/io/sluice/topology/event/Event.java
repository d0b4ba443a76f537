package io.sluice.topology.event;

import java.util.Set;

/** The fields of an event that metering needs, whatever its format. */
public interface Event {
  String eventId();

  String userId();

  String action();

  /** When the user acted, epoch milliseconds. */
  long occurredAtMs();

  /** Permits the event needs, at least 0. */
  long cost();

  /** Who or what the action is aimed at; empty if nobody. */
  String target();

  /** The input topic that the event came in by. */
  String topic();

  /** An attribute's value; empty if the event has none of that name. */
  String attribute(String name);

  /**
   * The names of attributes whose values UTF-8 cannot hold, so that nothing can be counted by them.
   */
  default Set<String> attributesOfNoKey() {
    return Set.of();
  }
}
