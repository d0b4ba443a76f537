package io.sluice.server.ask;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.runtime.monitoring.Health;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.watch.Watch;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.InstantSource;

/**
 * Builder of the updates for the page: the event counts of all instances (of the last quarter of an
 * hour, or of its last steps), and the state of this instance.
 */
final class StreamText {
  private static final JsonFactory JSON = new JsonFactory();
  private final CountsOfAll counts;
  private final Instruments instruments;
  private final Health health;
  private final boolean usesRedis;
  private final InstantSource clock;

  StreamText(
      CountsOfAll counts,
      Instruments instruments,
      Health health,
      boolean usesRedis,
      InstantSource clock) {
    this.counts = counts;
    this.instruments = instruments;
    this.health = health;
    this.usesRedis = usesRedis;
    this.clock = clock;
  }

  String history() {
    return text("history", Watch.STEPS);
  }

  String now() {
    return text("now", CountsText.LAST_STEPS);
  }

  private String text(String kind, int steps) {
    long nowMs = clock.millis();
    CountsOfAll.Sum sum = counts.sum(nowMs);
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("kind", kind);
      json.writeNumberField("nowMs", nowMs);
      CountsText.write(sum.history(), steps, json);
      InstanceResponses.write(sum.answered(), sum.unanswered(), json);
      writeState(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write JSON to memory", e);
    }
    return text.toString();
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
