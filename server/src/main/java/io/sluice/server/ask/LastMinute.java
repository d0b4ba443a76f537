package io.sluice.server.ask;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.rules.limit.Verdict;
import io.sluice.server.web.JsonText;
import io.sluice.topology.watch.Watch;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Event counts of the last minute by limit and verdict, of one instance or of several. Not
 * thread-safe.
 */
final class LastMinute {
  /** Number of ten-second steps in a minute. The last step is still being counted. */
  private static final int STEPS = 6;

  private final Map<String, Map<String, Long>> counts = new HashMap<>();

  /** Part of the API's list of limits. */
  private record Told(@JsonProperty(required = true) List<OfLimit> limits) {}

  private record OfLimit(String limit, String mode, Map<String, Long> lastMinute) {}

  /** Returns the counts of this instance. */
  static LastMinute of(Watch watch, long nowMs) {
    LastMinute minute = new LastMinute();
    for (Watch.Line line : watch.history(nowMs).lines()) {
      line.counts()
          .forEach(
              (kind, steps) -> {
                long sum = Arrays.stream(steps).skip(Math.max(0, steps.length - STEPS)).sum();
                minute.add(name(line.limit(), line.shadow()), kind.text, sum);
              });
    }
    return minute;
  }

  /**
   * Reads the counts of the last minute from another instance's list of limits.
   *
   * @throws IllegalArgumentException if the list is not valid; the message says why in one line
   */
  static LastMinute read(String text) {
    List<OfLimit> limits = JsonText.read(text, Told.class).limits;
    JsonText.check(limits.size() <= Report.MOST_LIMITS);
    LastMinute minute = new LastMinute();
    for (OfLimit each : limits) {
      String name = name(each.limit, each.mode.equals("shadow"));
      // A limit may be listed repeatedly, each time with the largest count, so the sum is checked
      // too.
      each.lastMinute.forEach((kind, events) -> JsonText.bounded(minute.add(name, kind, events)));
    }
    return minute;
  }

  /**
   * Key of a limit's counts. A limit in shadow mode is counted apart, since it decided no verdict.
   */
  private static String name(String limit, boolean shadow) {
    return (shadow ? "shadow " : "") + limit;
  }

  private long add(String name, String kind, long events) {
    return counts.computeIfAbsent(name, unused -> new HashMap<>()).merge(kind, events, Long::sum);
  }

  void add(LastMinute other) {
    other.counts.forEach((name, kinds) -> kinds.forEach((kind, events) -> add(name, kind, events)));
  }

  /** Returns the counts of a limit by verdict. */
  Map<String, Long> of(String limit, boolean shadow) {
    Map<String, Long> own = counts.getOrDefault(name(limit, shadow), Map.of());
    Map<String, Long> all = new LinkedHashMap<>();
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      all.put(kind.text, own.getOrDefault(kind.text, 0L));
    }
    return all;
  }
}
