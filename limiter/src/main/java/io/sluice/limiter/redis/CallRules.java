package io.sluice.limiter.redis;

import io.sluice.limiter.Gcra;
import io.sluice.limiter.Rule;
import io.sluice.limiter.Schedule;
import io.sluice.limiter.Schedule.Phase;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.CommandArguments;

/**
 * The rules of one call, each of them once, the phases of those that change (the ones that a key
 * can remember, or all of them), and of those that block or count in periods what that takes.
 */
final class CallRules {
  /** How many periods' ends are told from an instant on, as in rules.lua. */
  static final int ENDS = 32;

  private final long graceMicros;
  private final boolean complete;
  private final Map<Rule, Entry> entries = new HashMap<>();
  private final Doubles rules = new Doubles();
  private final Doubles phases = new Doubles();
  private final Doubles kinds = new Doubles();
  private final List<Lacking> lacking;

  /**
   * A rule of the call.
   *
   * @param number by which buckets name it, from 1 on
   * @param gcra by its own numbers
   */
  record Entry(int number, Gcra gcra) {}

  /**
   * An instant in a period whose end the script has to know.
   *
   * @param nowMicros when the bucket is judged, and by the numbers of then
   */
  record Lacking(long nowMicros, long atMicros) {}

  /**
   * @param graceMillis how long keys are kept beyond their need
   * @param complete whether all phases are told, and not only the ones that most keys need
   * @param lacking what the script did not know when it was called before
   */
  CallRules(long graceMillis, boolean complete, List<Lacking> lacking) {
    graceMicros = graceMillis * 1_000;
    this.complete = complete;
    this.lacking = lacking;
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
    if (rule.blocks() || rule.algorithm().countsCalendarPeriods()) {
      addKind(entry, rule, told, nowMicros);
    }
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

  private void addKind(Entry entry, Rule rule, List<Phase> told, long nowMicros) {
    kinds.add(entry.number).add(rule.blocks() ? 1 : 0).add(rule.blockMicros());
    kinds.add((rule.zone() + "/" + rule.quota().unit()).hashCode());
    for (Phase phase : told) kinds.add(phase.rule().blockMicros());
    List<Lacking> ahead =
        rule.algorithm().countsCalendarPeriods() ? ahead(rule, nowMicros) : List.of();
    kinds.add(ahead.size());
    for (Lacking each : ahead) addEnds(rule.at(each.nowMicros), each);
  }

  /** Who waits for long is given a turn in later periods than those that arrivals bring. */
  private List<Lacking> ahead(Rule rule, long nowMicros) {
    Rule inForce = rule.at(nowMicros);
    if (inForce.patienceMicros() <= inForce.quota().periodMicros()) return lacking;
    List<Lacking> all = new ArrayList<>(lacking);
    all.add(new Lacking(nowMicros, nowMicros));
    return all;
  }

  private void addEnds(Rule inForce, Lacking each) {
    kinds.add(each.nowMicros).add(each.atMicros);
    long end = each.atMicros;
    for (int i = 0; i < ENDS; i++) {
      end = inForce.periodEndMicros(end);
      kinds.add(end);
    }
  }

  private static void add(Doubles to, Rule rule, Gcra gcra) {
    for (RuleField field : RuleField.ALL) to.add(field.of(rule, gcra));
  }

  byte[] toByteArray() {
    return rules.toByteArray();
  }

  /** Adds what most calls do without: phases, blocks and periods, and pairs. */
  CommandArguments addTo(CommandArguments command, PairPlaces pairs) {
    boolean more = !kinds.isEmpty() || !pairs.isEmpty();
    if (!phases.isEmpty() || more) command.add(phases.toByteArray());
    if (more) command.add(kinds.toByteArray());
    return pairs.isEmpty() ? command : command.add(pairs.toByteArray());
  }

  /** Numbers one after another as little-endian doubles, which Lua reads many of at once. */
  static final class Doubles {
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 8).order(ByteOrder.LITTLE_ENDIAN);

    Doubles add(long value) {
      return addBits(Double.doubleToRawLongBits((double) value));
    }

    Doubles addBits(long bits) {
      if (bytes.remaining() < Long.BYTES) {
        ByteBuffer wider = ByteBuffer.allocate(2 * bytes.capacity()).order(ByteOrder.LITTLE_ENDIAN);
        bytes = wider.put(bytes.flip());
      }
      bytes.putLong(bits);
      return this;
    }

    boolean isEmpty() {
      return bytes.position() == 0;
    }

    byte[] toByteArray() {
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }
}
