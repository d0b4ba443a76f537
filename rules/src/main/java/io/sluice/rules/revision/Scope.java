package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.FieldForms;
import io.sluice.rules.limit.LimitKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Events of a limit that a revision is for: all events, or those that have all of these field
 * values.
 *
 * @param fields in the order userId, target, action, topic, attributes by their names
 * @param values of the fields, none of them empty
 */
public record Scope(LimitKey fields, List<String> values) {
  /**
   * Maximum length of a value, in characters; a revision with a longer value is refused, so no
   * scope has such values.
   */
  public static final int LONGEST_VALUE = 1_000;

  /** Scope of all events of a limit. */
  public static final Scope WHOLE = new Scope(new LimitKey(List.of()), List.of());

  private static final List<Field.Kind> KINDS =
      List.of(
          Field.Kind.USER_ID,
          Field.Kind.TARGET,
          Field.Kind.ACTION,
          Field.Kind.TOPIC,
          Field.Kind.ATTRIBUTE);

  static final Comparator<Field> ORDER =
      Comparator.comparing((Field field) -> KINDS.indexOf(field.kind()))
          .thenComparing(Field::attribute);

  public Scope {
    values = List.copyOf(values);
    if (values.size() != fields.fields().size() || values.contains("")) {
      throw new IllegalArgumentException("a value for each of " + fields + ": " + values);
    }
  }

  /** Returns the scope of the events that have all of these field values. */
  public static Scope of(Map<Field, String> values) {
    List<Field> fields = new ArrayList<>(values.keySet());
    fields.sort(ORDER);
    return new Scope(new LimitKey(fields), fields.stream().map(values::get).toList());
  }

  /** Returns the scope with its values in the form in which events have them. */
  public Scope inForm(FieldForms forms) {
    List<String> formed = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      formed.add(forms.of(fields.fields().get(i), values.get(i)));
    }
    return formed.equals(values) ? this : new Scope(fields, formed);
  }

  public boolean isWhole() {
    return values.isEmpty();
  }

  /** Returns the values joined to a key, which is unique among the scopes with the same fields. */
  String key() {
    return fields.of(event());
  }

  /** Returns an event that has the field values of the scope and nothing else. */
  public Event event() {
    return fields.event(values);
  }

  /**
   * Returns the scope as a text such as {@code userId=shop-7,target=bob}; empty for a limit as a
   * whole.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) text.append(',');
      text.append(fields.fields().get(i)).append('=').append(values.get(i));
    }
    return text.toString();
  }
}
