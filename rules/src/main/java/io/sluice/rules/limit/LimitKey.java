package io.sluice.rules.limit;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Fields that a limit counts by: events with the same values share a count.
 *
 * <p>The key of one field is its value, so it equals the record key of a producer that keys by that
 * field. Several values are joined by {@code |}; {@code |} and {@code \} inside a value are escaped
 * by {@code \}, so that different values always give different keys.
 */
public record LimitKey(List<Field> fields) {
  public LimitKey {
    fields = List.copyOf(fields);
  }

  /**
   * Returns the key by which an event is counted. Without fields it is empty, so that all events
   * share one count.
   */
  public String of(Event event) {
    if (fields.isEmpty()) return "";
    if (fields.size() == 1) return fields.get(0).of(event);
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < fields.size(); i++) {
      if (i > 0) joined.append('|');
      appendEscaped(joined, fields.get(i).of(event));
    }
    return joined.toString();
  }

  /** Returns the values of the fields that a key was made of, in the order of the fields. */
  public List<String> values(String text) {
    if (fields.isEmpty()) return List.of();
    if (fields.size() == 1) return List.of(text);
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '|') {
        values.add(value.toString());
        value.setLength(0);
      } else {
        value.append(c == '\\' && i + 1 < text.length() ? text.charAt(++i) : c);
      }
    }
    values.add(value.toString());
    return values;
  }

  /**
   * Returns an event that has only these values of the fields, in their order. Its key equals the
   * key of every event with the same values.
   */
  public Event event(List<String> values) {
    return new ValuesOnly(fields, values);
  }

  /**
   * Returns the hash tag of an event's Redis keys: the user id if it is one of the fields, so that
   * all keys of a user are in one slot of a Redis Cluster; else the whole key.
   */
  String tagOf(Event event) {
    return fields.contains(Field.USER_ID) ? event.userId() : of(event);
  }

  /**
   * Returns whether, for every event, its key by these fields and its key by the fields of the
   * other key have the same Redis hash tag.
   */
  public boolean sharesTag(LimitKey other) {
    boolean byUser = fields.contains(Field.USER_ID);
    boolean otherByUser = other.fields.contains(Field.USER_ID);
    return (byUser && otherByUser) || fields.equals(other.fields);
  }

  private static void appendEscaped(StringBuilder joined, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '|' || c == '\\') joined.append('\\');
      joined.append(c);
    }
  }

  /** Returns the names of the fields as a comma list, as in the configuration. */
  @Override
  public String toString() {
    return fields.stream().map(Field::toString).collect(joining(","));
  }
}
