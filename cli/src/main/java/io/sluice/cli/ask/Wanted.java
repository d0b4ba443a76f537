package io.sluice.cli.ask;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.Event;
import io.sluice.topology.event.Field;
import java.util.LinkedHashMap;
import java.util.Map;

/** The events that are wanted: those that have these values. */
record Wanted(Map<Field, String> values) {
  /**
   * @throws IllegalArgumentException if events have no such field, or it cannot be told
   */
  static Wanted of(SluiceConfig config, Map<String, String> key) {
    Map<Field, String> values = new LinkedHashMap<>();
    key.forEach((name, value) -> values.put(Field.parse(name), value));
    boolean shared = config.topics().allowed().isOne() || config.topics().rejected().isOne();
    if (values.containsKey(Field.TOPIC) && config.inputTopics().size() > 1 && shared) {
      throw new IllegalArgumentException(
          "--last cannot tell the topic that an event came in by: the inputs share an output");
    }
    return new Wanted(values);
  }

  boolean has(Event event) {
    for (Map.Entry<Field, String> each : values.entrySet()) {
      if (!each.getValue().equals(each.getKey().of(event))) return false;
    }
    return true;
  }

  /** Such as {@code userId=ada target=bob}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    values.forEach(
        (field, value) ->
            text.append(text.isEmpty() ? "" : " ").append(field).append('=').append(value));
    return text.toString();
  }
}
