package io.sluice.cli.simulate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expected output of {@code simulate} for 10 permits a minute, or an hour of the calendar, computed
 * by brute force from the definition of each algorithm. The clock is the largest event time so far;
 * each question goes through the list of all admitted events. Times are whole milliseconds.
 */
final class WindowOracle {
  private static final long PERMITS = 10;
  private static final long LATENESS_MS = 120_000;
  private static final Pattern EVENT =
      Pattern.compile(
          "\\{\"eventId\":(\"[^\"]*\"),\"userId\":(\"[^\"]*\"),\"action\":(\"[^\"]*\"),"
              + "\"occurredAt\":(\\d+),.*");

  private final String algorithm;
  private final long periodMs;
  private final Map<String, List<Long>> admittedMs = new HashMap<>();
  private long latestMs;
  private long nowMs;

  WindowOracle(String algorithm) {
    this.algorithm = algorithm;
    periodMs = algorithm.equals("calendar-window") ? 3_600_000 : 60_000;
  }

  static List<String> verdicts(String algorithm, List<String> events) {
    WindowOracle oracle = new WindowOracle(algorithm);
    return events.stream().map(oracle::verdict).toList();
  }

  private String verdict(String line) {
    Matcher event = EVENT.matcher(line);
    if (!event.matches()) throw new IllegalArgumentException(line);
    long occurredAtMs = Long.parseLong(event.group(4));
    latestMs = Math.max(latestMs, occurredAtMs);
    List<Long> admitted = admittedMs.computeIfAbsent(event.group(2), user -> new ArrayList<>());
    long clockMs = admitted.isEmpty() ? 0 : admitted.get(admitted.size() - 1);
    nowMs = Math.max(clockMs, Math.max(occurredAtMs, latestMs - LATENESS_MS));
    boolean conforms = isRoomFor(1, admitted, nowMs);
    long waitMs = first(t -> isRoomFor(1, admitted, t)) - nowMs;
    if (conforms) admitted.add(nowMs);
    long remaining = 0;
    while (isRoomFor(remaining + 1, admitted, nowMs)) remaining++;
    return "{\"eventId\":"
        + event.group(1)
        + ",\"userId\":"
        + event.group(2)
        + ",\"action\":"
        + event.group(3)
        + (conforms ? ",\"verdict\":\"allowed\"" : ",\"verdict\":\"rejected\"")
        + ",\"limit\":\"page\",\"remaining\":"
        + remaining
        + (conforms ? "" : ",\"retryAfterMs\":" + waitMs)
        + ",\"resetAfterMs\":"
        + (first(t -> isAsNew(admitted, t)) - nowMs)
        + (conforms ? "" : ",\"reason\":\"over-limit\"")
        + ",\"attempt\":1}";
  }

  /** Whether this cost would be within the quota at t, after these admitted events. */
  private boolean isRoomFor(long cost, List<Long> admitted, long t) {
    return switch (algorithm) {
      case "sliding-window-log" -> within(admitted, t - periodMs, t) + cost <= PERMITS;
      case "calendar-window" -> within(admitted, t - t % periodMs - 1, t) + cost <= PERMITS;
      case "sliding-window-counter" -> {
        long start = t - t % periodMs;
        long last = within(admitted, start - periodMs - 1, start - 1);
        long running = within(admitted, start - 1, t);
        long covered = periodMs - (t - start);
        yield last * covered + (running + cost) * periodMs <= PERMITS * periodMs;
      }
      case "funnel" -> content(admitted, t) + cost * periodMs <= PERMITS * periodMs;
      default -> throw new IllegalArgumentException(algorithm);
    };
  }

  /** Whether the admitted events have no effect at t or later. */
  private boolean isAsNew(List<Long> admitted, long t) {
    return switch (algorithm) {
      case "sliding-window-log" -> within(admitted, t - periodMs, t) == 0;
      case "calendar-window" -> within(admitted, t - t % periodMs - 1, t) == 0;
      case "sliding-window-counter" -> within(admitted, t - t % periodMs - periodMs - 1, t) == 0;
      case "funnel" -> content(admitted, t) == 0;
      default -> throw new IllegalArgumentException(algorithm);
    };
  }

  /** Counts events admitted after one instant, and not after the other. */
  private static long within(List<Long> admitted, long afterMs, long untilMs) {
    return admitted.stream().filter(at -> at > afterMs && at <= untilMs).count();
  }

  /**
   * Returns the content of the funnel at t. A permit is periodMs units; PERMITS units run out each
   * millisecond.
   */
  private long content(List<Long> admitted, long t) {
    long content = 0;
    long before = 0;
    for (long at : admitted) {
      content = Math.max(0, content - (at - before) * PERMITS) + periodMs;
      before = at;
    }
    return Math.max(0, content - (t - before) * PERMITS);
  }

  /**
   * Returns the first millisecond from now on at which the condition is true; once true, it stays
   * true.
   */
  private long first(LongPredicate holds) {
    long fails = nowMs - 1;
    long succeeds = nowMs + 3 * periodMs;
    while (succeeds - fails > 1) {
      long middle = (fails + succeeds) / 2;
      if (holds.test(middle)) succeeds = middle;
      else fails = middle;
    }
    return succeeds;
  }
}
