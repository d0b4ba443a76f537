package io.sluice.limiter;

import static java.lang.Math.max;

import io.sluice.limiter.rows.LastAdmitted;
import io.sluice.limiter.rows.Rows;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.IdentityHashMap;
import java.util.Optional;

/**
 * Fast path for a GCRA bucket whose rule only polices (refuses, without delay, block or shadow):
 * computes the bucket's next row from the stored row, without the objects that the general {@link
 * GcraState} creates. Not thread-safe.
 */
final class GcraFastPath implements AlgorithmTraits.ShortWay {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /**
   * Number of cached rules at which the cache is cleared. There are this many rules only if many
   * keys have overrides.
   */
  private static final int MOST_RULES = 4_096;

  private static final int MOST_PHASES = 2;

  /** Row value of a bucket that is not stored yet: all fields are 0. */
  private static final byte[] NEW = new byte[GcraState.PLAIN];

  private final Rows rows;
  private final IdentityHashMap<Rule, Funnel> funnels = new IdentityHashMap<>();
  private Funnel last;

  GcraFastPath(Rows rows) {
    this.rows = rows;
  }

  /** Values derived from a rule, computed again only when the rule's numbers in force change. */
  private static final class Funnel {
    private final Rule rule;
    private Rule inForce;
    private Gcra gcra;
    private boolean polices;

    Funnel(Rule rule) {
      this.rule = rule;
    }

    /**
     * Whether the rule, with the numbers in force at this instant, only refuses: no delays, blocks,
     * counted attempts or shadow.
     */
    @SuppressWarnings("ReferenceEquality") // an equal copy of the rule only costs a new derivation
    boolean policesAt(long nowMicros) {
      Rule now = rule.at(nowMicros);
      if (now != inForce) follow(now);
      return polices;
    }

    private void follow(Rule now) {
      inForce = now;
      gcra = new Gcra(now.quota());
      polices = now.onlyPolices();
    }

    boolean hasRateOf(byte[] value) {
      Quota quota = inForce.quota();
      return (int) INT.get(value, GcraState.PERMITS_AT) == (int) quota.permits()
          && (long) LONG.get(value, GcraState.PERIOD_AT) == quota.periodMicros();
    }
  }

  @SuppressWarnings("ReferenceEquality") // an equal copy of the rule only costs a new derivation
  private Funnel funnel(Rule rule) {
    if (last != null && last.rule == rule) return last;
    last = isKept(rule) ? kept(rule) : new Funnel(rule);
    return last;
  }

  /**
   * Whether the values derived from a rule are cached. They are not for a rule with many changes,
   * because it is large and is replaced at its next change.
   */
  private static boolean isKept(Rule rule) {
    return rule.schedule().phases().size() <= MOST_PHASES;
  }

  private Funnel kept(Rule rule) {
    if (funnels.size() == MOST_RULES) funnels.clear();
    return funnels.computeIfAbsent(rule, Funnel::new);
  }

  @Override
  public Optional<Outcome> meter(Arrival arrival, Rule rule, byte[] row, byte[] value) {
    boolean isNew = value == null;
    if (!isNew && value[0] != GcraState.VERSION) return Optional.empty();
    Funnel funnel = funnel(rule);
    byte[] before = isNew ? NEW : value;
    long clockMicros = (long) LONG.get(before, GcraState.CLOCK_AT);
    long nowMicros = max(arrival.nowMicros(), clockMicros);
    boolean ordinary =
        funnel.policesAt(nowMicros)
            && !rule.schedule().changes(clockMicros, nowMicros)
            && arrival.cost() > 0
            && arrival.cost() <= funnel.inForce.quota().burst()
            && (isNew || funnel.hasRateOf(value))
            && !remembers(before, arrival.identity().event());
    return ordinary
        ? Optional.of(meter(arrival, funnel, row, before, nowMicros))
        : Optional.empty();
  }

  /**
   * Whether the bucket's row contains the hash of this event, regardless of when the event was
   * admitted.
   */
  private static boolean remembers(byte[] value, long event) {
    for (int at = GcraState.PLAIN; at < value.length; at += LastAdmitted.ENTRY_BYTES) {
      if ((long) LONG.get(value, at) == event) return true;
    }
    return false;
  }

  private Outcome meter(Arrival arrival, Funnel funnel, byte[] row, byte[] value, long nowMicros) {
    Gcra gcra = funnel.gcra;
    long tat = (long) LONG.get(value, GcraState.TAT_AT);
    long fraction = Integer.toUnsignedLong((int) INT.get(value, GcraState.FRACTION_AT));
    long conformsAt = gcra.conformsAt(tat, fraction, nowMicros, arrival.cost());
    if (conformsAt > nowMicros) {
      Decision refusal = gcra.refusal(tat, fraction, nowMicros, conformsAt);
      return Outcome.alone(Outcome.Kind.REFUSED, nowMicros, refusal);
    }
    long newTat = gcra.chargedMicros(tat, fraction, nowMicros, arrival.cost());
    long newFraction = gcra.chargedFraction(tat, fraction, nowMicros, arrival.cost());
    Identity identity = arrival.identity();
    byte[] next =
        LastAdmitted.add(value, GcraState.PLAIN, identity.event(), identity.record(), nowMicros);
    next[0] = GcraState.VERSION;
    LONG.set(next, GcraState.CLOCK_AT, nowMicros);
    LONG.set(next, GcraState.TAT_AT, newTat);
    if ((long) LONG.get(value, GcraState.RESERVED_AT) <= nowMicros) {
      LONG.set(next, GcraState.RESERVED_AT, 0L);
    }
    INT.set(next, GcraState.FRACTION_AT, (int) newFraction);
    INT.set(next, GcraState.PERMITS_AT, (int) funnel.inForce.quota().permits());
    LONG.set(next, GcraState.PERIOD_AT, funnel.inForce.quota().periodMicros());
    rows.put(row, next);
    return Outcome.alone(
        Outcome.Kind.ADMITTED, nowMicros, gcra.admission(newTat, newFraction, nowMicros));
  }
}
