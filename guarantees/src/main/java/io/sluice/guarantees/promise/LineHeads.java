package io.sluice.guarantees.promise;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * First events of the lines that wait for one bucket, at instants that only grow. Not thread-safe.
 */
final class LineHeads {
  /** Time in milliseconds for which the first event of a line must have been the first. */
  private static final long SETTLED_MS = 500;

  private final List<Queued> lines;

  /** Events of one line that had to wait, in the order in which they came. */
  private static final class Queued {
    private final List<TimeInLine> events = new ArrayList<>();
    private int first;

    /** Returns the first events that came at one instant; the others have left long before. */
    private List<TimeInLine> at(long ms) {
      while (first < events.size() && events.get(first).leftMs() <= ms - SETTLED_MS) first++;
      boolean isEmpty = first == events.size() || events.get(first).cameMs() > ms - SETTLED_MS;
      if (isEmpty) return List.of();
      int next = first;
      long cameMs = events.get(first).cameMs();
      List<TimeInLine> together = new ArrayList<>();
      while (next < events.size() && events.get(next).cameMs() == cameMs) {
        TimeInLine each = events.get(next++);
        if (each.leftMs() > ms - SETTLED_MS) together.add(each);
      }
      return together;
    }
  }

  /**
   * @param bucket name of the bucket
   */
  LineHeads(TimesInLine times, String bucket) {
    Map<String, Queued> byLine = new HashMap<>();
    for (TimeInLine each : times.of(bucket)) {
      if (!each.waited()) continue;
      byLine.computeIfAbsent(each.line(), line -> new Queued()).events.add(each);
    }
    byLine.keySet().removeIf(times::isUnclear);
    lines = List.copyOf(byLine.values());
  }

  /**
   * Returns for each line the events one of which was surely the first and stayed in line, from
   * some time before the instant until some time after it; several only if they came at one
   * instant.
   *
   * @param ms instant in epoch milliseconds, not before that of the last call
   * @param stayedMs time in milliseconds for which the events stayed in line after the instant
   */
  List<List<TimeInLine>> at(long ms, long stayedMs) {
    List<List<TimeInLine>> heads = new ArrayList<>();
    for (Queued line : lines) {
      List<TimeInLine> together = line.at(ms);
      boolean sure =
          together.stream()
              .allMatch(
                  each ->
                      each.allowed()
                          && Math.max(each.cameMs(), each.event().occurredAtMs()) <= ms - SETTLED_MS
                          && each.leftMs() > ms + stayedMs);
      if (!together.isEmpty() && sure) heads.add(together);
    }
    return heads;
  }
}
