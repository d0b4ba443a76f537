package io.sluice.bench.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes a JSON file with facts about the machine, and with the results of a benchmark. */
public final class JsonReport {
  /** Writer of the JSON fields with the results. */
  public interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private JsonReport() {}

  public static void write(Path file, Map<String, String> facts, Fields fields) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(Files.newOutputStream(file))) {
      json.useDefaultPrettyPrinter().writeStartObject();
      json.writeObjectFieldStart("facts");
      for (Map.Entry<String, String> fact : facts.entrySet()) {
        json.writeStringField(fact.getKey(), fact.getValue());
      }
      json.writeEndObject();
      fields.write(json);
      json.writeEndObject();
    }
  }
}
