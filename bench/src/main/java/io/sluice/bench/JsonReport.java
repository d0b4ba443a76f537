package io.sluice.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Every sample, for programs. */
record JsonReport(Map<String, String> facts, Results results) {

  void write(Path file) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(Files.newOutputStream(file))) {
      json.useDefaultPrettyPrinter().writeStartObject();
      json.writeObjectFieldStart("facts");
      for (Map.Entry<String, String> fact : facts.entrySet()) {
        json.writeStringField(fact.getKey(), fact.getValue());
      }
      json.writeEndObject();
      json.writeArrayFieldStart("variants");
      for (String name : results.names()) variant(json, name);
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private void variant(JsonGenerator json, String name) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeStringField("basis", results.basis(name));
    json.writeNumberField("medianPerSecond", results.perSecond(name).median());
    json.writeNumberField("ofPassThrough", results.ofPassThrough(name).median());
    json.writeArrayFieldStart("samples");
    for (Sample sample : results.samples(name)) {
      json.writeStartObject();
      json.writeNumberField("events", sample.events());
      json.writeNumberField("allowed", sample.allowed());
      json.writeNumberField("millis", sample.millis());
      json.writeNumberField("cpuNanos", sample.cost().cpuNanos());
      json.writeNumberField("garbageBytes", sample.cost().garbageBytes());
      json.writeNumberField("redisNanos", sample.redisNanos());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
