package io.sluice.spring.method;

import io.sluice.limiter.Bucket;
import io.sluice.topology.event.Event;
import io.sluice.topology.event.Field;
import io.sluice.topology.limit.Limit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A call as the event that a stream would have in its place, as far as a key goes: so both count in
 * the same bucket.
 */
final class KeyEvent implements Event {
  private final Map<Field, String> values;

  private KeyEvent(Map<Field, String> values) {
    this.values = values;
  }

  /** The bucket under a limit whose key has these values, one for each of its fields. */
  static Bucket bucket(Limit limit, List<String> values) {
    List<Field> fields = limit.key().fields();
    Map<Field, String> byField = new HashMap<>();
    for (int i = 0; i < fields.size(); i++) byField.put(fields.get(i), values.get(i));
    return Limit.buckets(List.of(limit), new KeyEvent(byField)).get(0);
  }

  private String value(Field field) {
    return values.getOrDefault(field, "");
  }

  @Override
  public String eventId() {
    return "";
  }

  @Override
  public String userId() {
    return value(Field.USER_ID);
  }

  @Override
  public String action() {
    return value(Field.ACTION);
  }

  @Override
  public String topic() {
    return value(Field.TOPIC);
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
  public String target() {
    return value(Field.TARGET);
  }

  @Override
  public String attribute(String name) {
    return value(new Field(Field.Kind.ATTRIBUTE, name));
  }
}
