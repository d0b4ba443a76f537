package io.sluice.cli.ask;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.FieldForms;
import io.sluice.topology.config.SluiceConfig;
import java.util.LinkedHashMap;
import java.util.Map;

/** Filter for events that have all the given field values, such as {@code userId=ada}. */
record Wanted(Map<Field, String> values) {
  /**
   * Parses a filter from field names and values.
   *
   * @throws IllegalArgumentException if events have no such field, or if records of the verdict
   *     topics do not show its value
   */
  static Wanted of(SluiceConfig config, Map<String, String> key) {
    Map<Field, String> values = new LinkedHashMap<>();
    FieldForms forms = config.limitsConfig().forms();
    key.forEach(
        (name, value) -> {
          Field field = Field.parse(name);
          values.put(field, forms.of(field, value));
        });
    boolean isShared =
        config.inputTopics().size() > 1
            && (config.topics().allowed().isOne() || config.topics().rejected().isOne());
    if (values.containsKey(Field.TOPIC) && isShared) {
      throw new IllegalArgumentException(
          "--for topic=... is not possible with --last: the inputs share an output topic");
    }
    if (!config.selectors().own().isEmpty() && isShared) {
      throw new IllegalArgumentException(
          "--last is not possible with selectors of single topics: the inputs share an output topic,"
              + " whose records do not say their input; use {input} in the names of the outputs");
    }
    return new Wanted(values);
  }

  boolean has(Event event) {
    for (Map.Entry<Field, String> each : values.entrySet()) {
      if (!each.getValue().equals(each.getKey().of(event))) return false;
    }
    return true;
  }

  /** Returns text such as {@code userId=ada target=bob}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    values.forEach(
        (field, value) ->
            text.append(text.isEmpty() ? "" : " ").append(field).append('=').append(value));
    return text.toString();
  }
}
