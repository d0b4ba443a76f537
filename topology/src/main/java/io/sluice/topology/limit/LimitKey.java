package io.sluice.topology.limit;

import static java.util.stream.Collectors.joining;

import io.sluice.topology.event.Event;
import io.sluice.topology.event.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields a limit counts together: events with the same values share a count.
 *
 * <p>One field gives exactly its value, so that a key here equals the key of a producer that keys
 * its records by it. Several are joined by {@code |}, with {@code |} and {@code \} inside a value
 * escaped by {@code \}, so that no two tuples of values make the same text.
 */
public record LimitKey(List<Field> fields) {
  public LimitKey {
    fields = List.copyOf(fields);
  }

  /** The text counted by; empty, one count for all, if there are no fields. */
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

  /** The values that make such a text, in the order of the fields. */
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
   * An event of which nothing is known but these values, in the order of the fields: so it counts
   * as any other event that has them.
   */
  public Event event(List<String> values) {
    return new ValuesOnly(fields, values);
  }

  /** The part of the key that keeps all keys of a user together in a Redis Cluster. */
  String tagOf(Event event) {
    return fields.contains(Field.USER_ID) ? event.userId() : of(event);
  }

  /** Whether both keys of every event have the same tag. */
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

  /** The fields as the configuration lists them. */
  @Override
  public String toString() {
    return fields.stream().map(Field::toString).collect(joining(","));
  }
}
