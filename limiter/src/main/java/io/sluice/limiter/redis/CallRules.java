package io.sluice.limiter.redis;

import io.sluice.limiter.Gcra;
import io.sluice.limiter.Rule;
import io.sluice.limiter.Schedule;
import io.sluice.limiter.Schedule.Phase;
import io.sluice.limiter.redis.ScriptCall.Doubles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of one call, each of them once, and the phases of those that change: the ones that a
 * key can remember, or all of them.
 */
final class CallRules {
  private final long graceMicros;
  private final boolean complete;
  private final Map<Rule, Entry> entries = new HashMap<>();
  private final Doubles rules = new Doubles();
  private final Doubles phases = new Doubles();

  /**
   * A rule of the call.
   *
   * @param number by which buckets name it, from 1 on
   * @param gcra by its own numbers
   */
  record Entry(int number, Gcra gcra) {}

  /**
   * @param graceMillis how long keys are kept beyond their need
   * @param complete whether all phases are told, and not only the ones that most keys need
   */
  CallRules(long graceMillis, boolean complete) {
    graceMicros = graceMillis * 1_000;
    this.complete = complete;
  }

  boolean areComplete() {
    return complete;
  }

  /** The rule's entry, made when it is asked for first, by an arrival at this instant. */
  Entry of(Rule rule, long nowMicros) {
    Entry known = entries.get(rule);
    return known != null ? known : add(rule, nowMicros);
  }

  private Entry add(Rule rule, long nowMicros) {
    Entry entry = new Entry(entries.size() + 1, new Gcra(rule.quota()));
    add(rules, rule, entry.gcra);
    entries.put(rule, entry);
    if (!rule.schedule().isEmpty()) addPhases(entry, rule.schedule(), nowMicros);
    return entry;
  }

  private void addPhases(Entry entry, Schedule schedule, long nowMicros) {
    List<Phase> all = schedule.phases();
    // A key that was charged before that has expired, unless the arrivals' clock outruns Redis'.
    long forgotten = nowMicros - schedule.longestMemoryMicros() - graceMicros;
    List<Phase> told = complete ? all : schedule.since(forgotten);
    long known = told.size() == all.size() ? 0 : told.get(0).fromMicros();
    phases.add(entry.number).add(known).add(told.size());
    for (Phase phase : told) {
      phases.add(phase.fromMicros()).add(phase.goneMicros()).add(phase.anew() ? 1 : 0);
      add(phases, phase.rule(), new Gcra(phase.rule().quota()));
    }
  }

  private static void add(Doubles to, Rule rule, Gcra gcra) {
    for (RuleField field : RuleField.ALL) to.add(field.of(rule, gcra));
  }

  byte[] toByteArray() {
    return rules.toByteArray();
  }

  /** Whether any of the rules changes. */
  boolean change() {
    return !phases.isEmpty();
  }

  byte[] phases() {
    return phases.toByteArray();
  }
}
