package io.sluice.topology;

import io.sluice.rules.event.Event;
import java.util.Map;

/** Event for tests that do not decode any. */
public record TestEvent(
    String eventId,
    String userId,
    String action,
    long occurredAtMs,
    long cost,
    String target,
    String topic,
    Map<String, String> attributes)
    implements Event {
  /** Returns an event with one attribute. */
  public static Event event(String userId, String action, String target) {
    Map<String, String> attributes = Map.of("country", "nz");
    return new TestEvent("e1", userId, action, 0, 1, target, "user-actions", attributes);
  }

  @Override
  public String attribute(String name) {
    return attributes.getOrDefault(name, "");
  }
}
