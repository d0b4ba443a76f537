package io.sluice.server.ask;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingLong;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.sluice.server.ask.Report.Unanswered;
import io.sluice.server.web.JsonText;
import io.sluice.topology.queue.WaitingList;
import java.util.ArrayList;
import java.util.Collection;
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
 * @param classes length and age of the lines of these events, by limit and class: the 1,000 that
 *     have an event that has waited longest
 * @param moreClasses whether there are more classes, so that lengths may be too small
 * @param events the first of these events, in the order of their arrival
 * @param moving whether events of an instance are left out, because it has a partition that another
 *     one has as well: partitions are moving
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
    @JsonInclude(Include.NON_DEFAULT) boolean moreClasses,
    List<Waiter> events,
    @JsonInclude(Include.NON_DEFAULT) boolean moving,
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
   * @param estimateMs instant at which it leaves, by an estimate, epoch milliseconds; left out in
   *     JSON, and 0 here, if none is known, as during a pause without an end
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
      @JsonInclude(Include.NON_DEFAULT) long estimateMs) {}

  /** Returns the report of no partitions. */
  static WaitingReport none(long nowMs) {
    return new WaitingReport(
        nowMs, 0, false, List.of(), false, List.of(), false, List.of(), List.of(), List.of(),
        List.of());
  }

  /** Returns the report of a partition, without the classes for which it has no room. */
  static WaitingReport of(
      long nowMs, int partition, WaitingList list, List<OfClass> classes, List<Waiter> first) {
    return new WaitingReport(
        nowMs,
        list.count(),
        list.more(),
        oldest(classes),
        classes.size() > MOST_CLASSES,
        first,
        false,
        List.of((long) partition),
        List.of(),
        List.of(),
        List.of());
  }

  /** Returns the classes for which a report has room, in the order of their names. */
  private static List<OfClass> oldest(Collection<OfClass> classes) {
    return classes.stream()
        .sorted(comparingLong(OfClass::oldestMs))
        .limit(MOST_CLASSES)
        .sorted(comparing(OfClass::name))
        .toList();
  }

  /** Returns whether all waiting events are included. */
  public boolean hasAll() {
    return !more && !moving && missing.isEmpty() && unanswered.isEmpty();
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
    boolean anyClasses = false;
    boolean twice = false;
    for (WaitingReport each : parts) {
      // While partitions move, two instances may have one. Its events must not count twice.
      boolean overlaps = each.partitions.stream().anyMatch(read::contains);
      twice |= overlaps || each.moving;
      if (overlaps) continue;
      read.addAll(each.partitions);
      each.classes.forEach(one -> sums.merge(one.name(), one, OfClass::and));
      waiters.addAll(each.events);
      sum += each.count;
      any |= each.more;
      anyClasses |= each.moreClasses;
    }
    return new WaitingReport(
        asOfMs,
        sum,
        any,
        oldest(sums.values()),
        anyClasses || sums.size() > MOST_CLASSES,
        waiters.stream().sorted(comparingLong(Waiter::arrivedMs)).limit(most).toList(),
        twice,
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
