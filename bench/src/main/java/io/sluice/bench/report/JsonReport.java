package io.sluice.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Writes a JSON file with facts about the machine, and with the results of a benchmark. */
public final class JsonReport {
  private JsonReport() {}

  /**
   * Writes the file.
   *
   * @param results a record or a map, whose fields come after the facts
   */
  public static void write(Path file, Map<String, String> facts, Object results)
      throws IOException {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ObjectNode report = mapper.createObjectNode().set("facts", mapper.valueToTree(facts));
    mapper.writeValue(file.toFile(), report.setAll(mapper.<ObjectNode>valueToTree(results)));
  }
}
