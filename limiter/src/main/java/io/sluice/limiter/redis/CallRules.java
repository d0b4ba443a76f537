package io.sluice.limiter.redis;

import io.sluice.limiter.Gcra;
import io.sluice.limiter.Rule;
import io.sluice.limiter.Schedule;
import io.sluice.limiter.Schedule.Phase;
import io.sluice.limiter.redis.ScriptCall.Doubles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.CommandArguments;

/**
 * The rules of one call, each of them once, the phases of those that change (the ones that a key
 * can remember, or all of them), and the blocks of those that block.
 */
final class CallRules {
  private final long graceMicros;
  private final boolean complete;
  private final Map<Rule, Entry> entries = new HashMap<>();
  private final Doubles rules = new Doubles();
  private final Doubles phases = new Doubles();
  private final Doubles blocks = new Doubles();

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
    List<Phase> told = rule.schedule().isEmpty() ? List.of() : told(rule.schedule(), nowMicros);
    if (!told.isEmpty()) addPhases(entry, rule.schedule(), told);
    if (rule.blocks()) addBlocks(entry, rule, told);
    return entry;
  }

  private List<Phase> told(Schedule schedule, long nowMicros) {
    // A key that was charged before that has expired, unless the arrivals' clock outruns Redis'.
    long forgotten = nowMicros - schedule.longestMemoryMicros() - graceMicros;
    return complete ? schedule.phases() : schedule.since(forgotten);
  }

  private void addPhases(Entry entry, Schedule schedule, List<Phase> told) {
    long known = told.size() == schedule.phases().size() ? 0 : told.get(0).fromMicros();
    phases.add(entry.number).add(known).add(told.size());
    for (Phase phase : told) {
      phases.add(phase.fromMicros()).add(phase.goneMicros()).add(phase.anew() ? 1 : 0);
      add(phases, phase.rule(), new Gcra(phase.rule().quota()));
    }
  }

  private void addBlocks(Entry entry, Rule rule, List<Phase> told) {
    blocks.add(entry.number).add(rule.blockMicros());
    for (Phase phase : told) blocks.add(phase.rule().blockMicros());
  }

  private static void add(Doubles to, Rule rule, Gcra gcra) {
    for (RuleField field : RuleField.ALL) to.add(field.of(rule, gcra));
  }

  byte[] toByteArray() {
    return rules.toByteArray();
  }

  /** Adds what most calls do without: phases, and blocks. */
  CommandArguments addTo(CommandArguments command) {
    if (!phases.isEmpty() || !blocks.isEmpty()) command.add(phases.toByteArray());
    return blocks.isEmpty() ? command : command.add(blocks.toByteArray());
  }
}
