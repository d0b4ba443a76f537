package io.sluice.bench.throughput;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.bench.apps.AskedSluice;
import io.sluice.bench.report.JsonReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Results of a throughput run as tables, as a chart, and as JSON with every sample.
 *
 * @param variants the measured variants
 * @param events number of events in the input
 */
public record ThroughputReport(
    Map<String, String> facts, Results results, List<Variant> variants, long events) {

  /** Writes the chart and the JSON file to a folder, and returns the lines of the tables. */
  public List<String> write(Path folder) throws IOException {
    Files.writeString(folder.resolve("throughput.svg"), new Chart(results).svg());
    JsonReport.write(folder.resolve("throughput.json"), facts, this::fields);
    List<String> lines = new ArrayList<>(new ThroughputTables(results, Wanted.all(events)).lines());
    List<String> answers = answers();
    if (!answers.isEmpty()) lines.add("");
    lines.addAll(answers);
    return lines;
  }

  /**
   * Returns the lines of a table with the durations of HTTP answers; empty if no variant has HTTP
   * queries.
   */
  private List<String> answers() {
    List<String> lines = new ArrayList<>();
    for (Variant each : variants) {
      if (each.application() instanceof AskedSluice asked) lines.addAll(asked.lines());
    }
    return lines;
  }

  private void fields(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("variants");
    for (String name : results.names()) variant(json, name);
    json.writeEndArray();
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
