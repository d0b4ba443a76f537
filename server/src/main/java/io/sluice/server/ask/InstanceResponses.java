package io.sluice.server.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Responses of all instances to one request.
 *
 * @param said the parsed responses of the other instances
 * @param answered the instances that are included, this one first
 * @param unanswered the instances that are missing, with the reason
 */
record InstanceResponses<T>(List<T> said, List<String> answered, Map<String, String> unanswered) {
  /** Result without a request to another instance. */
  static <T> InstanceResponses<T> nothing() {
    return new InstanceResponses<>(List.of(), List.of(), Map.of());
  }

  /** Writes the instances that answered, and those that did not, as two JSON fields. */
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
