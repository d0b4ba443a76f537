package io.sluice.server.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.topology.watch.Watch;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Event counts of the last minute by limit and verdict, of one instance or of several. Not
 * thread-safe.
 */
final class LastMinute {
  static final String FIELD = "lastMinute";

  /** Number of ten-second steps in a minute. The last step is still being counted. */
  private static final int STEPS = 6;

  private final Map<String, Map<Verdict.Kind, Long>> counts = new HashMap<>();

  /** Returns the counts of this instance. */
  static LastMinute of(Watch watch, long nowMs) {
    LastMinute minute = new LastMinute();
    for (Watch.Line line : watch.history(nowMs).lines()) {
      line.counts()
          .forEach(
              (kind, steps) -> {
                long sum = Arrays.stream(steps).skip(Math.max(0, steps.length - STEPS)).sum();
                minute.add(name(line.limit(), line.shadow()), kind, sum);
              });
    }
    return minute;
  }

  /**
   * Parses the counts of the last minute in another instance's list of limits.
   *
   * @throws IllegalArgumentException if the list is not valid; the message says why in one line
   */
  static LastMinute read(byte[] text) {
    LastMinute minute = new LastMinute();
    return JsonReading.read(
        text,
        json -> {
          boolean[] has = {false};
          int[] limits = {0};
          json.object(
              name -> {
                has[0] |= name.equals("limits");
                if (name.equals("limits")) json.array(() -> minute.readLimit(json, ++limits[0]));
                else json.skip();
              });
          if (!has[0]) throw new IllegalArgumentException("limits: missing");
          return minute;
        });
  }

  private void readLimit(JsonReading json, int number) throws IOException {
    if (number > ReportReader.MOST_LIMITS) throw new IllegalArgumentException("limits");
    String[] limit = {""};
    boolean[] shadow = {false};
    Map<String, Long> told = new TreeMap<>();
    json.object(
        name -> {
          switch (name) {
            case "limit" -> limit[0] = json.text();
            case "mode" -> shadow[0] = json.text().equals("shadow");
            case FIELD -> json.object(verdict -> told.put(verdict, json.number()));
            default -> json.skip();
          }
        });
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      // A limit may be listed repeatedly, each time with the largest count, so the sum is checked
      // too.
      JsonReading.bounded(add(name(limit[0], shadow[0]), kind, told.getOrDefault(kind.text, 0L)));
    }
  }

  /**
   * Key of a limit's counts. A limit in shadow mode is counted apart, since it decided no verdict.
   */
  private static String name(String limit, boolean shadow) {
    return (shadow ? "shadow " : "") + limit;
  }

  private long add(String name, Verdict.Kind kind, long events) {
    return counts
        .computeIfAbsent(name, unused -> new EnumMap<>(Verdict.Kind.class))
        .merge(kind, events, Long::sum);
  }

  void add(LastMinute other) {
    other.counts.forEach((name, kinds) -> kinds.forEach((kind, events) -> add(name, kind, events)));
  }

  void write(Limit limit, JsonGenerator json) throws IOException {
    Map<Verdict.Kind, Long> own =
        counts.getOrDefault(name(limit.name(), limit.rule().shadow()), Map.of());
    json.writeObjectFieldStart(FIELD);
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      json.writeNumberField(kind.text, own.getOrDefault(kind, 0L));
    }
    json.writeEndObject();
  }
}
