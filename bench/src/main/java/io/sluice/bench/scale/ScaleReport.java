package io.sluice.bench.scale;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.bench.report.JsonReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Results of a {@link Scale} run as tables, as a chart and as JSON. */
public record ScaleReport(Map<String, String> facts, Scale.Results results) {

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

  /** Writes the chart and the JSON file to a folder, and returns the lines of the tables. */
  public List<String> write(Path folder) throws IOException {
    Files.writeString(folder.resolve("scale.svg"), svg());
    JsonReport.write(folder.resolve("scale.json"), facts, this::fields);
    return new ScaleTables(results).lines();
  }

  private void fields(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("keys");
    for (KeyPoint each : results.keys()) write(json, each);
    json.writeEndArray();
    json.writeArrayFieldStart("delays");
    for (DelayPoint each : results.delays()) write(json, each);
    json.writeEndArray();
    json.writeArrayFieldStart("leftOut");
    for (String each : results.leftOut()) json.writeString(each);
    json.writeEndArray();
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
