package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.QueueRanks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;

/** Events of one tenant that use a bucket, in line or released. Not thread-safe. */
final class TenantInLine {
  private static final long AGING_MARGIN_MS = 1_000;

  /** Time in epoch milliseconds in which the first event of a line competed in one class. */
  record Head(long fromMs, long toMs, int rank) {}

  private final String name;
  private final Map<String, List<TimeInLine>> lines = new HashMap<>();
  private final List<Head> heads = new ArrayList<>();
  private final NavigableMap<Long, List<TimeInLine>> released = new TreeMap<>();

  /** Largest cost of the events that came up to an instant. */
  private final NavigableMap<Long, Long> mostCost = new TreeMap<>();

  TenantInLine(String name) {
    this.name = name;
  }

  void add(TimeInLine event) {
    long before = mostCost.isEmpty() ? 0 : mostCost.lastEntry().getValue();
    mostCost.put(event.cameMs(), Math.max(before, event.event().cost()));
    if (event.allowed())
      released.computeIfAbsent(event.leftMs(), at -> new ArrayList<>()).add(event);
    if (event.waited()) lines.computeIfAbsent(event.line(), line -> new ArrayList<>()).add(event);
  }

  /** Finds the times in which first events surely competed in a class. */
  void findHeads(TimesInLine times) {
    lines.forEach(
        (line, events) -> {
          if (!times.isUnclear(line)) findHeads(events);
        });
  }

  private void findHeads(List<TimeInLine> events) {
    long freeMs = 0;
    for (TimeInLine each : events) {
      long fromMs = Math.max(freeMs, each.cameMs() + 1);
      // An event that does not leave by a release leaves at an unknown instant.
      if (each.allowed() && !each.isAhead()) addHead(each, fromMs);
      freeMs = Math.max(freeMs, each.leftMs());
    }
  }

  private void addHead(TimeInLine head, long fromMs) {
    long atMs = fromMs;
    while (atMs < head.leftMs()) {
      int rank = head.rankAt(atMs, AGING_MARGIN_MS);
      boolean isSure = rank == head.rankAt(atMs, -AGING_MARGIN_MS);
      long turnMs =
          isSure
              ? turnMs(head, atMs + AGING_MARGIN_MS) - AGING_MARGIN_MS
              : turnMs(head, atMs - AGING_MARGIN_MS) + AGING_MARGIN_MS;
      long toMs = rank == 0 && isSure ? head.leftMs() : Math.min(turnMs, head.leftMs());
      if (isSure) heads.add(new Head(atMs, toMs, rank));
      atMs = toMs;
    }
  }

  /** Returns the next instant at which an event competes in a higher class by its age. */
  private static long turnMs(TimeInLine event, long afterMs) {
    long turns = Math.max(0, afterMs - event.cameMs()) / QueueRanks.AGING_MS;
    return event.cameMs() + (turns + 1) * QueueRanks.AGING_MS;
  }

  /** Returns the times in which an event surely waited in a class without an interruption. */
  List<Head> waiting(int rank) {
    List<Head> joined = new ArrayList<>();
    heads.stream()
        .filter(each -> each.rank() == rank)
        .sorted((one, other) -> Long.compare(one.fromMs(), other.fromMs()))
        .forEach(
            each -> {
              int last = joined.size() - 1;
              if (last >= 0 && each.fromMs() <= joined.get(last).toMs()) {
                Head before = joined.remove(last);
                long toMs = Math.max(before.toMs(), each.toMs());
                joined.add(new Head(before.fromMs(), toMs, rank));
              } else {
                joined.add(each);
              }
            });
    return joined;
  }

  String name() {
    return name;
  }

  /** Returns the instants after and before which events of the tenant were released. */
  NavigableSet<Long> releasedMs(long afterMs, long beforeMs) {
    return released.subMap(afterMs, false, beforeMs, false).navigableKeySet();
  }

  int weight() {
    return QueueRanks.weight(name);
  }

  /** Returns the largest part of its share that one event takes. */
  double largest(long atMs) {
    return (double) mostCost.floorEntry(atMs).getValue() / weight();
  }

  /** Returns the share of the events released at an instant; NaN if it is in another class. */
  double share(long atMs, int rank) {
    double cost = 0;
    for (TimeInLine each : released.getOrDefault(atMs, List.of())) {
      boolean isSure =
          each.rankAt(atMs, AGING_MARGIN_MS) == rank && each.rankAt(atMs, -AGING_MARGIN_MS) == rank;
      if (!isSure) return Double.NaN;
      cost += each.event().cost();
    }
    return cost / weight();
  }
}
