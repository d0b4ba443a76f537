package io.sluice.topology.ask;

import static java.util.Comparator.comparing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.topology.limit.Verdict;
import io.sluice.topology.metrics.Health;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.watch.Watch;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What this instance tells those who listen: at first the last quarter of an hour, then each second
 * the last three steps of it, so that who missed a second has it in the next.
 */
final class StreamText {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int MOST_LINES = 100;
  private static final int LAST_STEPS = 3;

  private final Instruments instruments;
  private final Health health;
  private final boolean usesRedis;
  private final InstantSource clock;

  StreamText(Instruments instruments, Health health, boolean usesRedis, InstantSource clock) {
    this.instruments = instruments;
    this.health = health;
    this.usesRedis = usesRedis;
    this.clock = clock;
  }

  String history() {
    return text("history", Integer.MAX_VALUE);
  }

  String now() {
    return text("now", LAST_STEPS);
  }

  private String text(String kind, int steps) {
    long nowMs = clock.millis();
    Watch.History history = instruments.watch().history(nowMs);
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("kind", kind);
      json.writeNumberField("nowMs", nowMs);
      json.writeNumberField("stepMs", history.stepMs());
      write(json, history, steps);
      writeState(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is written but memory", e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Watch.History history, int steps)
      throws IOException {
    int most = history.steps();
    int skipped = Math.max(0, most - steps);
    json.writeNumberField("fromMs", history.fromMs() + skipped * history.stepMs());
    json.writeArrayFieldStart("lines");
    for (Watch.Line line : busiest(history.lines())) {
      json.writeStartObject();
      json.writeStringField("limit", line.limit());
      json.writeBooleanField("shadow", line.shadow());
      for (Map.Entry<Verdict.Kind, long[]> each : line.counts().entrySet()) {
        json.writeFieldName(each.getKey().text);
        json.writeArray(each.getValue(), skipped, most - skipped);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("moreLimits", Math.max(0, history.lines().size() - MOST_LINES));
  }

  private static List<Watch.Line> busiest(List<Watch.Line> lines) {
    if (lines.size() <= MOST_LINES) return lines;
    return lines.stream()
        .sorted(comparing(StreamText::events).reversed())
        .limit(MOST_LINES)
        .toList();
  }

  private static long events(Watch.Line line) {
    return line.counts().values().stream().flatMapToLong(Arrays::stream).sum();
  }

  private void writeState(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("delayed");
    json.writeNumberField("waiting", instruments.delayed().waiting());
    json.writeNumberField("overdueMs", instruments.delayed().overdueMs());
    json.writeEndObject();
    json.writeObjectFieldStart("redis");
    json.writeBooleanField("used", usesRedis);
    json.writeBooleanField("available", instruments.redis().isAvailable());
    json.writeNumberField("waiting", instruments.redis().waiting());
    json.writeEndObject();
    Health.Answer ready = health.ready();
    json.writeObjectFieldStart("ready");
    json.writeBooleanField("well", ready.well());
    json.writeStringField("says", ready.says());
    json.writeEndObject();
    json.writeNumberField("deadLetters", instruments.deadLetters());
  }
}
