package io.sluice.limiter;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Phases of a rule whose numbers change over time: see {@link Rule#changing}. Before the first
 * phase, the rule's own numbers are in force. Immutable.
 */
public final class Schedule {
  /** Schedule without changes. */
  public static final Schedule NONE = new Schedule(List.of(), 0);

  /** Instant before all entries of a log, for a phase before which no entry has left the window. */
  private static final long NOTHING_GONE = -1;

  private final List<Phase> phases;
  private final int hash;
  private final long longestMemoryMicros;
  private final boolean blocks;

  /**
   * Time during which a rule's numbers stay the same, until the next phase begins.
   *
   * @param fromMicros first instant of the phase, in epoch microseconds
   * @param rule the rule with the numbers in force during the phase, and without changes
   * @param goneMicros latest instant that had left the window when the phase began: log entries up
   *     to this instant stay expired, even if the phase has a longer period
   * @param anew whether a bucket whose clock is before the phase is reset by the phase
   */
  public record Phase(long fromMicros, Rule rule, long goneMicros, boolean anew) {}

  private Schedule(List<Phase> phases, long longestMemoryMicros) {
    this.phases = List.copyOf(phases);
    this.longestMemoryMicros = longestMemoryMicros;
    // Computed once, because every arrival needs them, and there may be thousands of phases.
    hash = phases.hashCode();
    blocks = phases.stream().anyMatch(each -> each.rule.blockMicros() > 0);
  }

  /**
   * Creates the schedule of a rule.
   *
   * @param rule the rule before the first change, itself without changes
   */
  static Schedule of(Rule rule, List<Change> changes) {
    List<Phase> phases = new ArrayList<>();
    Phase last = new Phase(0, rule, NOTHING_GONE, false);
    for (List<Change> together :
        changes.stream().collect(groupingBy(Change::atMicros, TreeMap::new, toList())).values()) {
      Phase next = after(last, together);
      if (next.rule.equals(last.rule) && !next.anew) continue;
      phases.add(next);
      last = next;
    }
    if (phases.isEmpty()) return NONE;
    long longest = phases.stream().mapToLong(each -> memoryMicros(each.rule)).max().orElseThrow();
    return new Schedule(phases, Math.max(longest, memoryMicros(rule)));
  }

  private static long memoryMicros(Rule rule) {
    Quota quota = rule.quota();
    long drains = Exact.mulDivCeil(quota.burst(), quota.periodMicros(), quota.permits());
    long remembered = Math.max(quota.periodMicros(), drains) + rule.patienceMicros();
    return Math.max(remembered, rule.blockMicros());
  }

  private static Phase after(Phase last, List<Change> together) {
    Rule rule = last.rule;
    boolean reset = false;
    for (Change each : together) {
      reset |= each instanceof Change.Reset;
      if (each instanceof Change.Numbers numbers) {
        rule = rule.with(numbers.quota(), numbers.patienceMicros(), numbers.blockMicros());
      }
    }
    long fromMicros = together.get(0).atMicros();
    boolean samePeriods = rule.quota().hasPeriodsOf(last.rule.quota());
    boolean anew = reset || (!samePeriods && rule.algorithm().countsPeriods());
    long gone = Math.max(last.goneMicros, fromMicros - last.rule.quota().periodMicros());
    return new Phase(fromMicros, rule, gone, anew);
  }

  /** Returns all phases, in order of time. */
  public List<Phase> phases() {
    return phases;
  }

  /** Whether the rule blocks keys in any phase. */
  boolean blocks() {
    return blocks;
  }

  /**
   * Returns the longest time, in microseconds, for which a bucket remembers a charge or a block, by
   * the numbers of any phase or of the rule before them; 0 without changes.
   */
  public long longestMemoryMicros() {
    return longestMemoryMicros;
  }

  /** Whether the rule never changes. */
  public boolean isEmpty() {
    return phases.isEmpty();
  }

  /**
   * Returns the phases that are needed to judge buckets whose clocks are at or after this instant:
   * the phase in force at the instant and all later ones. For an instant before the first phase,
   * these are all phases.
   */
  public List<Phase> since(long micros) {
    return phases.subList(Math.max(0, indexAt(micros)), phases.size());
  }

  /**
   * Returns the phases that begin after {@code afterMicros}, and at or before {@code untilMicros}.
   */
  List<Phase> between(long afterMicros, long untilMicros) {
    return phases.subList(indexAt(afterMicros) + 1, indexAt(untilMicros) + 1);
  }

  /** Whether a phase begins after {@code afterMicros}, and at or before {@code untilMicros}. */
  boolean changes(long afterMicros, long untilMicros) {
    return !isEmpty() && indexAt(afterMicros) != indexAt(untilMicros);
  }

  /** Whether a bucket with this clock is reset when it is judged at {@code nowMicros}. */
  boolean beginsAnew(long clockMicros, long nowMicros) {
    int last = indexAt(clockMicros);
    for (int i = indexAt(nowMicros); i > last; i--) if (phases.get(i).anew) return true;
    return false;
  }

  /**
   * Returns the latest instant, at or before {@code micros}, at which all buckets are reset; 0 if
   * there is no reset.
   */
  public long begunAnewAt(long micros) {
    for (int i = indexAt(micros); i >= 0; i--) {
      if (phases.get(i).anew) return phases.get(i).fromMicros;
    }
    return 0;
  }

  /** Returns the instant of the last change at or before {@code micros}; 0 if there is none. */
  long changedAt(long micros) {
    int i = indexAt(micros);
    return i < 0 ? 0 : phases.get(i).fromMicros;
  }

  /**
   * Returns the rule in force at this instant.
   *
   * @param before the rule in force before the first phase
   */
  Rule at(Rule before, long micros) {
    int i = indexAt(micros);
    return i < 0 ? before : phases.get(i).rule;
  }

  /**
   * Returns the latest instant that has left the window that ends at {@code nowMicros}: an instant
   * one period earlier, or one that had left the window before the period became longer.
   *
   * @param inForce the rule with the numbers in force at {@code nowMicros}
   */
  long cutoff(Rule inForce, long nowMicros) {
    long cutoff = nowMicros - inForce.quota().periodMicros();
    return isEmpty() ? cutoff : Math.max(cutoff, goneAt(nowMicros));
  }

  private long goneAt(long micros) {
    int i = indexAt(micros);
    return i < 0 ? NOTHING_GONE : phases.get(i).goneMicros;
  }

  /** Returns the largest number of permits of the quota at any time between two instants. */
  long mostPermits(Rule before, long sinceMicros, long nowMicros) {
    long most = at(before, sinceMicros).quota().permits();
    for (Phase each : between(sinceMicros, nowMicros)) {
      most = Math.max(most, each.rule.quota().permits());
    }
    return most;
  }

  /**
   * Returns the instant at which a log entry at {@code micros} leaves the window, with regard to
   * the changes after {@code nowMicros}.
   *
   * @param nowMicros the changes up to this instant are already in force
   */
  long leavesAt(Rule before, long micros, long nowMicros) {
    long leaves = micros + at(before, nowMicros).quota().periodMicros();
    for (Phase each : phases.subList(indexAt(nowMicros) + 1, phases.size())) {
      if (each.fromMicros >= leaves) break;
      leaves = Math.max(each.fromMicros, micros + each.rule.quota().periodMicros());
    }
    return leaves;
  }

  /** Returns the index of the phase in force at this instant; -1 before the first phase. */
  private int indexAt(long micros) {
    int from = 0;
    int to = phases.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (phases.get(middle).fromMicros <= micros) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Schedule that && hash == that.hash && phases.equals(that.phases);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return phases.toString();
  }
}
