package io.sluice.topology.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What instances say.
 *
 * @param said by the others, each for itself
 * @param answered the instances that are in it, this one first
 * @param unanswered those that are missing, and why
 */
record Gathered<T>(List<T> said, List<String> answered, Map<String, String> unanswered) {
  /** Nobody was asked. */
  static <T> Gathered<T> nothing() {
    return new Gathered<>(List.of(), List.of(), Map.of());
  }

  /** The names of those that are in an answer, and of those that are not, as two fields. */
  static void write(List<String> answered, Map<String, String> unanswered, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart("answered");
    for (String each : answered) json.writeString(each);
    json.writeEndArray();
    json.writeArrayFieldStart("unanswered");
    for (Map.Entry<String, String> each : unanswered.entrySet()) {
      json.writeStartObject();
      json.writeStringField("instance", each.getKey());
      json.writeStringField("why", each.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
