package io.sluice.rules.limit;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import java.util.List;

/**
 * Event that has the values of some fields and nothing else.
 *
 * @param values values of the fields, in the order of the fields
 */
record ValuesOnly(List<Field> fields, List<String> values) implements Event {
  private String value(Field field) {
    int at = fields.indexOf(field);
    return at < 0 || at >= values.size() ? "" : values.get(at);
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
  public String topic() {
    return value(Field.TOPIC);
  }

  @Override
  public String attribute(String name) {
    return value(new Field(Field.Kind.ATTRIBUTE, name));
  }
}
