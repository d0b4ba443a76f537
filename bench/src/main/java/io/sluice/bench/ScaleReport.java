package io.sluice.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The figures of a {@link Scale} run as a picture, and for programs. */
record ScaleReport(Map<String, String> facts, Scale.Results results) {

  String svg() {
    Curves cost = new Curves("CPU us an event, by keys");
    Curves restore = new Curves("First output after a start, s, by keys");
    for (KeyPoint each : results.keys()) {
      cost.add(each.store(), each.keys(), each.cpuMicros());
      restore.add(each.store(), each.keys(), each.restoreMillis() / 1e3);
    }
    Curves wake = new Curves("A wake of the shaper, ms, by delayed events");
    Curves waiting = new Curves("Restored after a start, s, by delayed events");
    for (DelayPoint each : results.delays()) {
      wake.add(each.store(), each.waiting(), each.wakeMillis());
      waiting.add(each.store(), each.waiting(), each.restoreMillis() / 1e3);
    }
    return Curves.svg(List.of(cost, restore, wake, waiting));
  }

  void write(Path file) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(Files.newOutputStream(file))) {
      json.useDefaultPrettyPrinter().writeStartObject();
      json.writeObjectFieldStart("facts");
      for (Map.Entry<String, String> fact : facts.entrySet()) {
        json.writeStringField(fact.getKey(), fact.getValue());
      }
      json.writeEndObject();
      json.writeArrayFieldStart("keys");
      for (KeyPoint each : results.keys()) write(json, each);
      json.writeEndArray();
      json.writeArrayFieldStart("delays");
      for (DelayPoint each : results.delays()) write(json, each);
      json.writeEndArray();
      json.writeArrayFieldStart("leftOut");
      for (String each : results.leftOut()) json.writeString(each);
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, KeyPoint point) throws IOException {
    json.writeStartObject();
    json.writeStringField("store", point.store());
    json.writeNumberField("keys", point.keys());
    json.writeNumberField("perSecond", point.perSecond());
    json.writeNumberField("cpuMicros", point.cpuMicros());
    json.writeNumberField("heapBytes", point.heapBytes());
    json.writeNumberField("diskBytes", point.diskBytes());
    json.writeNumberField("restoreMillis", point.restoreMillis());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, DelayPoint point) throws IOException {
    json.writeStartObject();
    json.writeStringField("store", point.store());
    json.writeNumberField("waiting", point.waiting());
    json.writeNumberField("publishMillis", point.publishMillis());
    json.writeNumberField("restoreMillis", point.restoreMillis());
    json.writeNumberField("heapBytes", point.heapBytes());
    json.writeNumberField("wakeMillis", point.wakeMillis());
    json.writeNumberField("longestWakeMillis", point.longestWakeMillis());
    json.writeEndObject();
  }
}
