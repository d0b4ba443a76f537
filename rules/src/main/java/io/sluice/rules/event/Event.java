package io.sluice.rules.event;

import io.sluice.rules.event.UnreadableEventException.FaultKind;
import java.util.List;
import java.util.Map;

/**
 * Fields of a user action that metering needs, independent of the record's serialization format.
 */
public interface Event {
  String eventId();

  String userId();

  String action();

  /** Time of the user's action, in epoch milliseconds. */
  long occurredAtMs();

  /** Number of permits that the event needs, at least 0. */
  long cost();

  /** User or thing at which the action is aimed; empty if there is none. */
  String target();

  /** Input topic of the record that contains the event. */
  String topic();

  /**
   * Value of the attribute with this name, the first one of a list; an empty string if the event
   * has no such attribute.
   */
  String attribute(String name);

  /**
   * Values of an attribute that is a list, each once; empty if the attribute is no list, or has no
   * value.
   */
  default List<String> elements(String attribute) {
    return List.of();
  }

  /**
   * Instant after which the event is of no use, in epoch milliseconds; {@link Long#MAX_VALUE} if it
   * has none.
   */
  default long expiresAtMs() {
    return Long.MAX_VALUE;
  }

  /**
   * Faults of attributes by which no limit can count, by the names of the attributes: the value
   * cannot be encoded in UTF-8, or the attribute occurs twice.
   */
  default Map<String, FaultKind> attributeFaults() {
    return Map.of();
  }
}
