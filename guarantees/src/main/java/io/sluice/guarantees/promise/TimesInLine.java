package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Times that the events with queue limits spent in line, with exactly-once processing: derived from
 * their announcements and from the header with the instant of release.
 */
final class TimesInLine {
  /**
   * Time in milliseconds for which the entry of a partition beside a shared bucket may count after
   * its event was cancelled or has expired: two seconds after the bucket was to open.
   */
  private static final long ENTRY_LEFT_MS = 2_500;

  private final List<TimeInLine> all;
  private final Map<String, List<TimeInLine>> byBucket = new HashMap<>();
  private final Map<String, List<TimeInLine>> removed = new HashMap<>();
  private final Map<String, NavigableMap<Long, Long>> usedUpTo = new HashMap<>();
  private final Map<String, long[]> latestLeftMs = new HashMap<>();
  private final Map<Integer, NavigableSet<Long>> activeMs = new HashMap<>();
  private final Set<String> unclear = new HashSet<>();

  TimesInLine(History history) {
    Map<Long, Long> copies =
        history.inputs().stream()
            .collect(Collectors.groupingBy(Kept::number, Collectors.counting()));
    LeftBy rejected = new LeftBy(history.rejected());
    all =
        history.inputs().stream()
            .filter(input -> QueueLimits.isFor(input.event()) && copies.get(input.number()) == 1)
            .flatMap(input -> of(history, rejected, input).stream())
            .sorted(Comparator.comparingLong(TimeInLine::cameMs))
            .toList();
    history.inputs().stream()
        .filter(input -> QueueLimits.isFor(input.event()))
        .filter(input -> copies.get(input.number()) > 1 || isUnclear(history, input))
        .forEach(input -> unclear.add(TimeInLine.line(input.event())));
    for (TimeInLine each : all) {
      for (QueueLimit limit : each.limits()) {
        String bucket = limit.bucketOf(each.event());
        byBucket.computeIfAbsent(bucket, absent -> new ArrayList<>()).add(each);
      }
    }
    byBucket.forEach(
        (bucket, events) -> {
          usedUpTo.put(bucket, used(events));
          latestLeftMs.put(bucket, latestLeftMs(events));
          removed.put(bucket, events.stream().filter(TimeInLine::isRemoved).toList());
        });
    for (TimeInLine each : all) {
      NavigableSet<Long> active = activeMs.computeIfAbsent(each.home(), home -> new TreeSet<>());
      active.add(each.cameMs());
      if (each.allowed()) active.add(each.leftMs());
    }
  }

  /** Whether the event of an input record was in line, and its times are not known. */
  private static boolean isUnclear(History history, Kept input) {
    int announced = history.announcements().of(input).size();
    int ends = history.endsOf(input).size();
    return ends != 1 || announced > 1;
  }

  /** Returns the latest instant at which one of the first events left, for each number of them. */
  private static long[] latestLeftMs(List<TimeInLine> events) {
    long[] latest = new long[events.size()];
    for (int i = 0; i < latest.length; i++)
      latest[i] = Math.max(i == 0 ? 0 : latest[i - 1], events.get(i).leftMs());
    return latest;
  }

  private static Optional<TimeInLine> of(History history, LeftBy rejected, Kept input) {
    List<Kept> announced = history.announcements().of(input);
    List<Kept> ends = history.endsOf(input);
    if (ends.size() != 1 || announced.size() > 1) return Optional.empty(); // breaks other promises
    Kept end = ends.get(0);
    boolean allowed = end.header(Verdicts.VERDICT).equals("allowed");
    if (allowed && end.header(Verdicts.RELEASED_AT).isEmpty()) return Optional.empty();
    if (announced.isEmpty() && !allowed) return Optional.empty(); // it was never in line
    boolean isRejected = end.header(Verdicts.VERDICT).equals("rejected");
    long leftMs =
        allowed ? end.number(Verdicts.RELEASED_AT) : isRejected ? rejected.of(end) : Long.MAX_VALUE;
    long cameMs = announced.isEmpty() ? leftMs : cameMs(announced.get(0));
    return Optional.of(new TimeInLine(input, cameMs, leftMs, !announced.isEmpty(), allowed));
  }

  /** Returns the instant of the announcement: its estimate is as long as its wait after that. */
  static long cameMs(Kept announced) {
    return announced.number(Verdicts.RELEASE_AT) - announced.number(Verdicts.RETRY_AFTER);
  }

  /** Returns the permits that released events used up to each instant of a release. */
  private static NavigableMap<Long, Long> used(List<TimeInLine> events) {
    NavigableMap<Long, Long> used = new TreeMap<>();
    for (TimeInLine each : events) {
      if (each.allowed()) used.merge(each.leftMs(), each.event().cost(), Long::sum);
    }
    long sum = 0;
    for (Map.Entry<Long, Long> each : used.entrySet()) {
      sum += each.getValue();
      each.setValue(sum);
    }
    return used;
  }

  /** Returns all events that were in line or passed at once, in the order in which they came. */
  List<TimeInLine> all() {
    return all;
  }

  /** Returns the names of the buckets of a limit. */
  List<String> buckets(QueueLimit limit) {
    return all.stream()
        .filter(each -> limit.matches(each.event()))
        .map(each -> limit.bucketOf(each.event()))
        .distinct()
        .toList();
  }

  /** Returns the events of a bucket, in the order in which they came. */
  List<TimeInLine> of(String bucket) {
    return byBucket.getOrDefault(bucket, List.of());
  }

  /** Whether events were in a line whose times are not known. */
  boolean isUnclear(String line) {
    return unclear.contains(line);
  }

  /**
   * Returns the instants at which a partition metered a new event or released one, epoch
   * milliseconds.
   */
  NavigableSet<Long> activeMs(int home) {
    return activeMs.getOrDefault(home, new TreeSet<>());
  }

  /** Returns the events of a bucket that waited at some instant of a time span, latest first. */
  List<TimeInLine> waiting(String bucket, long fromMs, long toMs) {
    List<TimeInLine> events = of(bucket);
    List<TimeInLine> waiting = new ArrayList<>();
    int at = countUpTo(events, toMs);
    while (--at >= 0 && latestLeftMs.get(bucket)[at] > fromMs) {
      TimeInLine each = events.get(at);
      if (each.waited() && each.leftMs() > fromMs) waiting.add(each);
    }
    return waiting;
  }

  /**
   * Returns the events that waited for a bucket and left it without a release, so that an entry of
   * their partition may have held back other partitions in a time span; none if partitions do not
   * share the limit.
   */
  List<TimeInLine> entriesLeft(QueueLimit limit, String bucket, long fromMs, long toMs) {
    if (!limit.isShared()) return List.of();
    return removed.getOrDefault(bucket, List.of()).stream()
        .filter(each -> each.cameMs() <= toMs && each.leftMs() > fromMs - ENTRY_LEFT_MS)
        .toList();
  }

  /** Returns the number of events that came up to an instant, inclusive. */
  private static int countUpTo(List<TimeInLine> events, long ms) {
    int low = 0;
    int high = events.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (events.get(middle).cameMs() <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Returns the permits of a bucket that events used which were released after {@code afterMs}, up
   * to {@code toMs}, inclusive.
   */
  long used(String bucket, long afterMs, long toMs) {
    NavigableMap<Long, Long> used = usedUpTo.getOrDefault(bucket, new TreeMap<>());
    return upTo(used, toMs) - upTo(used, afterMs);
  }

  private static long upTo(NavigableMap<Long, Long> used, long ms) {
    Map.Entry<Long, Long> last = used.floorEntry(ms);
    return last == null ? 0 : last.getValue();
  }
}
