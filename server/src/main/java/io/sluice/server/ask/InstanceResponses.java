package io.sluice.server.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Responses of the other instances to one request.
 *
 * @param said the parsed responses of the other instances
 * @param answered the instances that are included, this one first
 * @param unanswered the instances that are missing, with the reason
 */
record InstanceResponses<T>(List<T> said, List<String> answered, Map<String, String> unanswered) {
  /** Returns the result for a response to which no other instance contributes. */
  static <T> InstanceResponses<T> nothing() {
    return new InstanceResponses<>(List.of(), List.of(), Map.of());
  }

  /**
   * Writes the names of the instances that answered, and of those that did not, as two JSON fields.
   */
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
