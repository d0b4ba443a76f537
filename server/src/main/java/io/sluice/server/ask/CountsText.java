package io.sluice.server.ask;

import static java.util.Comparator.comparing;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.rules.limit.Verdict;
import io.sluice.topology.watch.Watch;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Writer of event counts by limit, verdict and ten-second step as JSON. */
final class CountsText {
  static final int MOST_LINES = 100;

  /**
   * Number of time steps in an update: the steps whose counts may still change, and one more, so
   * that the next update also serves a client that missed one.
   */
  static final int LAST_STEPS = 3;

  private static final long[] NONE = new long[Watch.STEPS];

  private CountsText() {}

  /**
   * Writes the counts in the last steps, for the limits that had most events in the whole history.
   */
  static void write(Watch.History history, int steps, JsonGenerator json) throws IOException {
    int most = history.steps();
    int skipped = Math.max(0, most - steps);
    json.writeNumberField("stepMs", history.stepMs());
    json.writeNumberField("fromMs", history.fromMs() + skipped * history.stepMs());
    json.writeArrayFieldStart("lines");
    for (Watch.Line line : busiest(history.lines())) {
      json.writeStartObject();
      json.writeStringField("limit", line.limit());
      json.writeBooleanField("shadow", line.shadow());
      for (Verdict.Kind kind : Verdict.Kind.values()) {
        json.writeFieldName(kind.text);
        json.writeArray(line.counts().getOrDefault(kind, NONE), skipped, most - skipped);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("moreLimits", Math.max(0, history.lines().size() - MOST_LINES));
  }

  private static List<Watch.Line> busiest(List<Watch.Line> lines) {
    if (lines.size() <= MOST_LINES) return lines;
    return lines.stream()
        .sorted(comparing(CountsText::events).reversed())
        .limit(MOST_LINES)
        .toList();
  }

  private static long events(Watch.Line line) {
    return line.counts().values().stream().flatMapToLong(Arrays::stream).sum();
  }
}
