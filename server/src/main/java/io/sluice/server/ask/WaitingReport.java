package io.sluice.server.ask;

import static java.util.Comparator.comparingLong;

import io.sluice.server.ask.Report.Unanswered;
import io.sluice.server.web.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Report of the events that wait in line, as a JSON response of the API.
 *
 * @param asOfMs time of the report, epoch milliseconds
 * @param count number of the events that were asked for
 * @param more whether more events may wait, because an instance reads only the first 20,000 events
 *     of each partition
 * @param classes length and age of the lines of these events, by limit and class
 * @param events the first of these events, in the order of their arrival
 * @param partitions the partitions that are included
 * @param missing the partitions that are missing, in the response of the API
 * @param answered the instances whose events are included
 * @param unanswered the instances whose events are missing
 */
public record WaitingReport(
    long asOfMs,
    long count,
    boolean more,
    List<OfClass> classes,
    List<Waiter> events,
    List<Long> partitions,
    List<Long> missing,
    List<String> answered,
    List<Unanswered> unanswered) {
  private static final int MOST_PARTITIONS = 100_000;

  /** Largest number of events in a report. */
  static final int MOST_EVENTS = 200;

  private static final int MOST_CLASSES = 1_000;

  public WaitingReport {
    JsonText.check(partitions.size() <= MOST_PARTITIONS && missing.size() <= MOST_PARTITIONS);
    JsonText.check(classes.size() <= MOST_CLASSES && events.size() <= MOST_EVENTS);
  }

  /**
   * Waiting events of a limit and class.
   *
   * @param className name of the class; {@code *} if there is only one
   * @param oldestMs arrival of the event that has waited longest, epoch milliseconds
   */
  public record OfClass(String limit, String className, long length, long oldestMs) {
    private String name() {
      return limit + '\0' + className;
    }

    private OfClass and(OfClass other) {
      return new OfClass(
          limit, className, length + other.length, Math.min(oldestMs, other.oldestMs));
    }
  }

  /**
   * Event that waits in line.
   *
   * @param eventId empty if the event cannot be decoded; so are user and action
   * @param arrivedMs instant since which it waits, epoch milliseconds
   * @param position in its line; 1 is the first
   * @param before by limit, the number of events in other lines that are before it
   * @param estimateMs instant at which it leaves, by an estimate, epoch milliseconds
   */
  public record Waiter(
      long partition,
      String eventId,
      String userId,
      String action,
      String className,
      long arrivedMs,
      long position,
      Map<String, Long> before,
      long estimateMs) {}

  /** Returns whether all waiting events are included. */
  public boolean hasAll() {
    return !more && missing.isEmpty() && unanswered.isEmpty();
  }

  /**
   * Adds the reports of other instances to this instance's report.
   *
   * @param all number of all partitions
   * @param most largest number of events
   */
  WaitingReport with(OtherInstances.Responses<WaitingReport> others, int all, int most) {
    List<WaitingReport> parts = new ArrayList<>(List.of(this));
    parts.addAll(others.said());
    Map<String, OfClass> sums = new TreeMap<>();
    TreeSet<Long> read = new TreeSet<>();
    List<Waiter> waiters = new ArrayList<>();
    long sum = 0;
    boolean any = false;
    for (WaitingReport each : parts) {
      // While partitions move, two instances may have one. Its events must not count twice.
      if (each.partitions.stream().anyMatch(read::contains)) {
        any = true;
        continue;
      }
      read.addAll(each.partitions);
      each.classes.forEach(one -> sums.merge(one.name(), one, OfClass::and));
      waiters.addAll(each.events);
      sum += each.count;
      any |= each.more;
    }
    return new WaitingReport(
        asOfMs,
        sum,
        any,
        List.copyOf(sums.values()).stream().limit(MOST_CLASSES).toList(),
        waiters.stream().sorted(comparingLong(Waiter::arrivedMs)).limit(most).toList(),
        List.copyOf(read),
        missing(read, all),
        others.answered(),
        others.unanswered());
  }

  private static List<Long> missing(TreeSet<Long> read, int all) {
    List<Long> missing = new ArrayList<>();
    for (long i = 0; i < all; i++) if (!read.contains(i)) missing.add(i);
    return missing;
  }

  /** Returns the numbers of other events before an event, by limit. */
  static Map<String, Long> counts(Map<String, Integer> before) {
    Map<String, Long> counts = new LinkedHashMap<>();
    before.forEach((limit, events) -> counts.put(limit, (long) events));
    return counts;
  }
}
