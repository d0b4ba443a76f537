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

/** The charges to the buckets of one limit, as the outputs tell them. */
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

  /** What used up quota, by key. */
  Map<String, List<Charge>> ofAllowed() {
    return byKey(allowed());
  }

  /** What was judged and counted, refused or not, by key. */
  Map<String, List<Charge>> ofTries() {
    Stream<Kept> refused =
        history.rejected().stream().filter(end -> end.header(Verdicts.REASON).equals("over-limit"));
    return byKey(counted(Stream.concat(history.allowed().stream(), refused)));
  }

  /** What the limit has let pass, wherever it counted that. */
  Stream<Kept> allowed() {
    return counted(history.allowed().stream());
  }

  /**
   * What was judged of each key, allowed or over this limit, in the order in which it was metered;
   * nothing where that is not known.
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

  /** Whether it is over this limit, and not only refused because of what was before. */
  boolean isRefusal(Kept end) {
    return end.header(Verdicts.REASON).equals("over-limit")
        && end.header(Verdicts.LIMIT).equals(limit.name());
  }

  /** By which instant it was judged. */
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

  /** At its user's home if a limit counts there; else where it came in. */
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

  /** The charge for a record, which at least once may have come out several times. */
  private Optional<Charge> charge(List<Kept> same) {
    List<Long> told =
        same.stream().flatMap(end -> clocks.told(limit, end).stream()).sorted().toList();
    if (told.isEmpty() || isJudgedOtherwise(same)) return Optional.empty();
    Kept end = same.get(0);
    List<Long> waits =
        limit.exceeded() == Limit.Exceeded.DELAY
            ? history.announcements().reservedAfterMs(end)
            : List.of(0L);
    // What charges nothing moves no clock but that of the limit that watches; a filter has none.
    // At least once, it may have been charged at its own time, and only what came of that is lost.
    long ownMs = end.event().occurredAtMs();
    boolean mayBeEarlier = !history.modes().exactlyOnce() || limit.algorithm().countsAsOne();
    long fromMs = mayBeEarlier ? Math.min(told.get(0), ownMs) : told.get(0);
    return Optional.of(
        new Charge(
            end,
            fromMs + waits.get(0),
            told.get(told.size() - 1) + waits.get(waits.size() - 1),
            limit.algorithm().countsAsOne() ? 1 : end.event().cost()));
  }

  /**
   * Whether a record that was allowed was metered once more, and then not allowed: at least once, a
   * crash may take its charge in the state store away and leave its output, and what comes in
   * between has its permits.
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

  /** Of several records of one event only the first: the others have its verdict again. */
  private static List<Charge> once(List<Charge> charges) {
    Set<Identity> seen = new HashSet<>();
    return charges.stream()
        .sorted(Comparator.comparingLong(Charge::fromMs))
        .filter(charge -> seen.add(Identity.of(charge.end().event())))
        .toList();
  }
}
