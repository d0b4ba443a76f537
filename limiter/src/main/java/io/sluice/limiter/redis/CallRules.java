package io.sluice.limiter.redis;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.EventHash;
import io.sluice.limiter.Gcra;
import io.sluice.limiter.Rule;
import io.sluice.limiter.Schedule;
import io.sluice.limiter.Schedule.Phase;
import io.sluice.limiter.ValueHash;
import io.sluice.limiter.filter.FilterKey;
import io.sluice.limiter.filter.Strength;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongBiFunction;
import redis.clients.jedis.CommandArguments;

/**
 * Rules of one script call, each listed once, in the format that the script reads. A rule that
 * changes over time is listed with its phases, from the earliest one on in which a key that has not
 * expired may have been charged. All phases are listed if the script lacked an earlier one in the
 * previous call, or if the requests of a call are sent singly. A rule that blocks also has its
 * block lengths. A rule with calendar periods also has the ends of periods that the script needs
 * beyond those that each arrival brings.
 */
final class CallRules {
  /**
   * Number of consecutive ends of periods that are sent from an instant on; rules.lua has the same
   * number.
   */
  static final int ENDS = 32;

  private final long graceMicros;
  private final boolean complete;
  private final Map<Rule, Entry> entries = new HashMap<>();
  private final Doubles rules = new Doubles();
  private final Doubles phases = new Doubles();
  private final Doubles kinds = new Doubles();
  private final List<Lacking> lacking;

  /**
   * Rule in the script call.
   *
   * @param number identifies the rule in the buckets of the call, from 1 on
   * @param gcra GCRA arithmetic for the rule's numbers before any change
   */
  record Entry(int number, Gcra gcra) {}

  /**
   * Instant for which the script needs the end of its period.
   *
   * @param nowMicros instant at which the bucket is judged, in epoch microseconds; the numbers in
   *     force then define the period
   * @param atMicros instant whose period's end is needed, in epoch microseconds
   */
  record Lacking(long nowMicros, long atMicros) {}

  /**
   * @param graceMillis time in milliseconds for which keys are kept after they are needed
   * @param complete whether all phases of the rules are sent, and not only those that most keys
   *     need
   * @param lacking instants for which the script lacked the ends of periods in earlier calls
   */
  CallRules(long graceMillis, boolean complete, List<Lacking> lacking) {
    graceMicros = graceMillis * 1_000;
    this.complete = complete;
    this.lacking = lacking;
  }

  boolean areComplete() {
    return complete;
  }

  /**
   * Returns the entry of a rule. The first arrival with the rule adds the entry, with the phases
   * that matter at the arrival's time.
   */
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
    // A key that was charged longer ago than its rule's longest memory and the grace has expired,
    // unless the arrivals' clock is faster than Redis'. So the phases before that are not sent.
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

  /**
   * Returns the instants from which on ends of periods are sent. Each arrival itself brings the
   * ends of two periods; with a patience longer than a period, its slot can be in a later period,
   * so the ends from the arrival's time on are sent too.
   */
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

  /**
   * Adds the script arguments that most calls do not need: the phases of rules, then blocks and
   * ends of periods, then the positions of keys in Bloom filters and the values of arrivals with
   * several.
   */
  CommandArguments addTo(CommandArguments command, Besides besides) {
    boolean more = !kinds.isEmpty() || !besides.isEmpty();
    if (!phases.isEmpty() || more) command.add(phases.toByteArray());
    if (more) command.add(kinds.toByteArray());
    return besides.isEmpty() ? command : command.add(besides.toByteArray());
  }

  /** Adds all script arguments that {@link #addTo} can add, empty or not. */
  CommandArguments addAllTo(CommandArguments command, Besides besides) {
    command.add(phases.toByteArray()).add(kinds.toByteArray());
    return command.add(besides.toByteArray());
  }

  /**
   * Numbers as consecutive little-endian doubles, because Lua can read many of them in one call.
   */
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

    Doubles addHash(ValueHash value) {
      return addBits(Long.reverseBytes(value.high())).addBits(Long.reverseBytes(value.low()));
    }

    boolean isEmpty() {
      return bytes.position() == 0;
    }

    byte[] toByteArray() {
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  /**
   * Numbers of a rule that the Redis script needs, in the order in which {@code rules.lua} reads
   * them.
   */
  enum RuleField {
    KIND((rule, gcra) -> rule.algorithm().script().code()),
    PERIOD((rule, gcra) -> rule.quota().periodMicros()),
    PERMITS((rule, gcra) -> rule.quota().permits()),
    CAPACITY((rule, gcra) -> rule.capacity()),
    PATIENCE((rule, gcra) -> rule.patienceMicros()),
    COUNTS((rule, gcra) -> rule.countsAttempts() ? 1 : 0),
    SHADOW((rule, gcra) -> rule.shadow() ? 1 : 0),
    TOLERANCE(
        (rule, gcra) ->
            rule.algorithm().admitsOnce() ? rule.filter().blocks() : gcra.toleranceMicros()),
    TOLERANCE_FRACTION(
        (rule, gcra) ->
            rule.algorithm().admitsOnce() ? rule.filter().level() : gcra.toleranceFraction());

    static final List<RuleField> ALL = List.of(values());

    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    private final ToLongBiFunction<Rule, Gcra> value;

    RuleField(ToLongBiFunction<Rule, Gcra> value) {
      this.value = value;
    }

    long of(Rule rule, Gcra gcra) {
      return value.applyAsLong(rule, gcra);
    }
  }

  /**
   * Facts about the arrivals of a call that have no place in their buckets' rows. The positions of
   * keys in Bloom filters, in the format that bloom.lua reads. For each key: the hash bits that
   * select its block, as a double; and for each bit that the key may set, the index of the byte in
   * the block and the bit's mask in the byte. And the hashes of the values of arrivals with several
   * values, one after another.
   */
  static final class Besides {
    private static final int PLACES_BYTES = Long.BYTES + 2 * Strength.MOST_BITS;

    private final Doubles all = new Doubles();
    private int next = 1;

    /** Adds a key, and returns the index of its first byte in this format, from 1 on. */
    int addPlaces(String key) {
      FilterKey pair = EventHash.pair(key);
      ByteBuffer bits = ByteBuffer.allocate(2 * Strength.MOST_BITS).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < Strength.MOST_BITS; i++) {
        bits.put((byte) pair.byteOf(i)).put((byte) pair.bitOf(i));
      }
      all.add(pair.share());
      for (bits.flip(); bits.hasRemaining(); ) all.addBits(bits.getLong());
      return moveBy(PLACES_BYTES);
    }

    /** Adds the values of an arrival, and returns the index of the first byte, from 1 on. */
    int addValues(Bucket bucket) {
      all.addHash(bucket.value());
      for (ValueHash each : bucket.more()) all.addHash(each);
      return moveBy(ValueHash.BYTES * bucket.valueCount());
    }

    private int moveBy(int bytes) {
      int first = next;
      next += bytes;
      return first;
    }

    boolean isEmpty() {
      return all.isEmpty();
    }

    byte[] toByteArray() {
      return all.toByteArray();
    }
  }
}
