package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Limit;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Topics;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Derives from the output records of a run which events one limit has charged, and when. */
final class Charges {
  private final History history;
  private final Clocks clocks;
  private final Limit limit;

  Charges(History history, Clocks clocks, Limit limit) {
    this.history = history;
    this.clocks = clocks;
    this.limit = limit;
  }

  Limit limit() {
    return limit;
  }

  Clocks clocks() {
    return clocks;
  }

  /**
   * Returns the charges of allowed events, by bucket (a key, and the place where it was counted).
   */
  Map<String, List<Charge>> ofAllowed() {
    return byKey(allowed());
  }

  /**
   * Returns the charges of all judged events, allowed or over a limit, by bucket (a key, and the
   * place where it was counted).
   */
  Map<String, List<Charge>> ofTries() {
    Stream<Kept> refused =
        history.rejected().stream().filter(end -> end.header(Verdicts.REASON).equals("over-limit"));
    return byKey(counted(Stream.concat(history.allowed().stream(), refused)));
  }

  /** Returns the allowed events that the limit counted, in Redis or in a state store. */
  Stream<Kept> allowed() {
    return counted(history.allowed().stream());
  }

  /**
   * Returns the judged events of each key, allowed or over this limit, in the order of metering;
   * empty in modes in which this order is not known.
   */
  Stream<List<Kept>> inOrder() {
    Modes modes = history.modes();
    boolean alwaysAsked = !limit.inRedis() || modes.withoutRedis() == Modes.WithoutRedis.WAIT;
    boolean isKnown = modes.exactlyOnce() && alwaysAsked;
    if (!isKnown || modes.duplicates() == Modes.Duplicates.REPEAT) return Stream.of();
    return Stream.concat(history.allowed().stream(), history.rejected().stream())
        .filter(end -> limit.matches(end.event()) && history.inputOf(end).isPresent())
        .filter(end -> isRefusal(end) || isAllowed(end))
        .filter(end -> clocks.told(limit, end).isPresent())
        .collect(Collectors.groupingBy(this::way))
        .values()
        .stream()
        .map(ends -> ends.stream().sorted(Comparator.comparing(this::cameAt)).toList());
  }

  private String way(Kept end) {
    return limit.keyOf(end.event()) + " " + history.inputOf(end).orElseThrow().place();
  }

  private long cameAt(Kept end) {
    return history.inputOf(end).orElseThrow().offset();
  }

  /**
   * Whether the event was rejected because it was over this limit, not over another limit of the
   * event.
   */
  boolean isRefusal(Kept end) {
    return end.header(Verdicts.REASON).equals("over-limit")
        && end.header(Verdicts.LIMIT).equals(limit.name());
  }

  /** Returns the time by which this limit judged the event, in epoch milliseconds. */
  long judgedMs(Kept end) {
    return clocks.told(limit, end).orElseThrow();
  }

  private Stream<Kept> counted(Stream<Kept> ends) {
    boolean fallsBack = history.modes().withoutRedis() == Modes.WithoutRedis.STATE_STORE;
    return ends.filter(end -> limit.matches(end.event()))
        .filter(end -> fallsBack || !limit.inRedis() || !end.isWithoutRedis());
  }

  private Map<String, List<Charge>> byKey(Stream<Kept> ends) {
    return ends.collect(Collectors.groupingBy(this::bucket)).entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, key -> of(key.getValue())));
  }

  private String bucket(Kept end) {
    String key = limit.keyOf(end.event());
    if (!limit.inRedis() || !end.isWithoutRedis()) return key;
    return key + " without Redis, on partition " + meteredOn(end);
  }

  /**
   * Returns the partition on which an event was metered: the user's home partition if any limit of
   * the event counts in the state store; else the input partition.
   */
  private int meteredOn(Kept end) {
    boolean hops =
        history.limits().of(end.event().action()).stream().anyMatch(each -> !each.inRedis());
    return hops
        ? Topics.home(end.event().user())
        : history.inputOf(end).map(Kept::partition).orElse(0);
  }

  private List<Charge> of(List<Kept> ends) {
    List<Charge> charges = new ArrayList<>();
    ends.stream()
        .collect(Collectors.groupingBy(Kept::number))
        .values()
        .forEach(same -> charge(same).ifPresent(charges::add));
    return history.modes().duplicates() == Modes.Duplicates.REPEAT ? once(charges) : charges;
  }

  /**
   * Returns the charge for one input record; empty if no time of judgement is known, or if the
   * charge may be lost.
   *
   * @param same output records for the input record, several only with at-least-once processing
   */
  private Optional<Charge> charge(List<Kept> same) {
    List<Long> told =
        same.stream().flatMap(end -> clocks.told(limit, end).stream()).sorted().toList();
    if (told.isEmpty() || isJudgedOtherwise(same)) return Optional.empty();
    Kept end = same.get(0);
    List<Long> waits =
        limit.exceeded() == Limit.Exceeded.DELAY
            ? history.announcements().reservedAfterMs(end)
            : List.of(0L);
    // The header shows the clock of a shadow limit, which may be later than the clock of this
    // limit's bucket: an event that charges nothing here, such as one with a known target, moves
    // only the clock of the shadow limit, and a Bloom filter has no clock. With at-least-once
    // processing, the event may also have been charged at its own time, in an attempt whose output
    // was lost. The same is true if Redis recognized the event: it tells the clock of the bucket as
    // it is then.
    long ownMs = end.event().occurredAtMs();
    boolean mayBeEarlier =
        !history.modes().exactlyOnce()
            || limit.algorithm().countsAsOne()
            || clocks.isRecognized(limit, end);
    long fromMs = mayBeEarlier ? Math.min(told.get(0), ownMs) : told.get(0);
    return Optional.of(
        new Charge(
            end,
            fromMs + waits.get(0),
            told.get(told.size() - 1) + waits.get(waits.size() - 1),
            limit.algorithm().countsAsOne() ? 1 : end.event().cost()));
  }

  /**
   * Whether an allowed record was metered again and then not allowed. With at-least-once
   * processing, a crash may lose the record's charge in the state store but not its output, and
   * other events may get its permits.
   */
  private boolean isJudgedOtherwise(List<Kept> same) {
    Kept any = same.get(0);
    boolean repeats = history.modes().exactlyOnce() || (limit.inRedis() && !any.isWithoutRedis());
    if (repeats || !isAllowed(any)) return false;
    long attempt = same.stream().mapToLong(end -> end.number(Verdicts.ATTEMPT)).min().orElse(1);
    return history.endsOf(any).stream().anyMatch(end -> !isAllowed(end))
        || history.announcements().isRetriedFrom(any, attempt);
  }

  private static boolean isAllowed(Kept end) {
    return end.header(Verdicts.VERDICT).equals("allowed");
  }

  /**
   * Returns one charge per event, the earliest: the other records of the event only repeat its
   * verdict.
   */
  private static List<Charge> once(List<Charge> charges) {
    Set<Identity> seen = new HashSet<>();
    return charges.stream()
        .sorted(Comparator.comparingLong(Charge::fromMs))
        .filter(charge -> seen.add(Identity.of(charge.end().event())))
        .toList();
  }
}
