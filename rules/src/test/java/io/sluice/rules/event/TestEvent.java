package io.sluice.rules.event;

import java.util.Map;

/** Event for tests of matching and keys. */
public record TestEvent(String userId, String action, String target, Map<String, String> attributes)
    implements Event {
  /** Returns an event with one attribute. */
  public static Event event(String userId, String action, String target) {
    return new TestEvent(userId, action, target, Map.of("country", "nz"));
  }

  @Override
  public String eventId() {
    return "e1";
  }

  @Override
  public long occurredAtMs() {
    return 0;
  }

  @Override
  public long cost() {
    return 1;
  }

  @Override
  public String topic() {
    return "user-actions";
  }

  @Override
  public String attribute(String name) {
    return attributes.getOrDefault(name, "");
  }
}
