package io.sluice.limiter;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.Decision.Waiting;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * What limits must answer, from their definitions and by brute force: every charged arrival is kept
 * in a list, every question is "would it conform at t?", and first instants and greatest amounts
 * are found by asking it. Shares no code and no constant with what it judges.
 */
public final class Oracle {
  private static final long NEVER = Long.MAX_VALUE;

  private final Map<Claim, Key> keys = new HashMap<>();

  /**
   * An arrival that was charged, or counted as refused; and the epoch-aligned period, by number, in
   * which that was done.
   */
  private record Entry(String eventId, long atMicros, long period, long cost, boolean refused) {}

  /** What a limit said of an arrival before it was settled. */
  private record Judgement(Key key, Entry met, long conformsAt, boolean patient) {
    boolean metAdmitted() {
      return met != null && !met.refused;
    }

    boolean metRefused() {
      return met != null && met.refused;
    }
  }

  /** Meters one arrival; the clock never goes back. */
  public Outcome meter(Arrival arrival, List<Claim> claims) {
    long now = arrival.nowMicros();
    List<Judgement> judgements = new ArrayList<>();
    for (Claim claim : claims) {
      judgements.add(keys.computeIfAbsent(claim, Key::new).judge(arrival));
    }
    Entry before = null;
    boolean refusedBefore = false;
    boolean conforms = true;
    long at = now;
    for (Judgement each : judgements) {
      if (each.key.rule.shadow()) continue;
      if (each.metAdmitted() && before == null) before = each.met;
      refusedBefore |= each.metRefused();
      conforms &= each.patient;
      if (each.conformsAt != NEVER) at = Math.max(at, each.conformsAt);
    }
    if (before != null) return outcome(arrival, true, Math.max(now, before.atMicros), judgements);
    if (refusedBefore || !conforms) {
      if (!refusedBefore) for (Judgement each : judgements) each.key.countRefused(arrival, each);
      return outcome(arrival, false, now, judgements);
    }
    for (Judgement each : judgements) {
      if (!each.key.rule.shadow()) each.key.charge(arrival, each, at);
      else if (each.patient) each.key.charge(arrival, each, Math.max(at, each.conformsAt));
      else each.key.countRefused(arrival, each);
    }
    return outcome(arrival, true, at, judgements);
  }

  private static Outcome outcome(
      Arrival arrival, boolean admitted, long at, List<Judgement> judgements) {
    List<Decision> decisions = new ArrayList<>();
    for (Judgement each : judgements) decisions.add(each.key.decision(arrival, each));
    return new Outcome(admitted, arrival.nowMicros(), at, decisions);
  }

  /** Everything that one limit knows of one key. */
  private static final class Key {
    private final Rule rule;
    private final long periodMicros;
    private final BigInteger permits;
    private final BigInteger period;
    private final BigInteger burst;
    private final List<Entry> entries = new ArrayList<>();
    private long reservedMicros;
    private boolean countedNow;

    /** The theoretical arrival time, in 1/permits of a microsecond. */
    private BigInteger tat = BigInteger.ZERO;

    Key(Claim claim) {
      rule = claim.rule();
      periodMicros = claim.rule().quota().periodMicros();
      permits = BigInteger.valueOf(rule.quota().permits());
      period = BigInteger.valueOf(periodMicros);
      burst = BigInteger.valueOf(rule.quota().burst());
    }

    Judgement judge(Arrival arrival) {
      long now = arrival.nowMicros();
      forget(now);
      countedNow = false;
      long conformsAt = firstConforming(now, arrival.cost());
      boolean patient = conformsAt != NEVER && conformsAt - now <= rule.patienceMicros();
      return new Judgement(this, met(arrival), conformsAt, patient);
    }

    /** What ended two periods ago is in no window, no counted period and no memory. */
    private void forget(long now) {
      long gone = now - 2 * periodMicros;
      entries.removeIf(each -> each.atMicros <= gone);
    }

    private Entry met(Arrival arrival) {
      if (arrival.eventId().isEmpty()) return null;
      long gone = arrival.nowMicros() - periodMicros;
      for (Entry each : entries) {
        if (each.eventId.equals(arrival.eventId()) && each.atMicros > gone) return each;
      }
      return null;
    }

    void charge(Arrival arrival, Judgement judgement, long at) {
      if (judgement.met != null || arrival.cost() == 0) return;
      long now = arrival.nowMicros();
      entries.add(new Entry(arrival.eventId(), at, now / periodMicros, arrival.cost(), false));
      tat = ticks(at).max(tat).add(span(arrival.cost()));
      if (rule.patienceMicros() > 0) reservedMicros = Math.max(reservedMicros, at);
    }

    void countRefused(Arrival arrival, Judgement judgement) {
      boolean counts = rule.countsAttempts() && judgement.conformsAt != NEVER;
      if (!counts || judgement.met != null || arrival.cost() == 0) return;
      long now = arrival.nowMicros();
      entries.add(new Entry(arrival.eventId(), now, now / periodMicros, arrival.cost(), true));
      countedNow = true;
    }

    Decision decision(Arrival arrival, Judgement judgement) {
      long now = arrival.nowMicros();
      long remaining = remaining(now);
      long reset = resetAt(now) - now;
      long conformsAt = countedNow ? firstConforming(now, arrival.cost()) : judgement.conformsAt;
      if (judgement.metAdmitted()) {
        long wait = judgement.met.atMicros - now;
        return wait > 0 ? new Waiting(remaining, wait, reset) : new Conforming(remaining, reset);
      }
      if (conformsAt == NEVER) {
        long capacity =
            rule.algorithm() == Algorithm.GCRA ? burst.longValue() : rule.quota().permits();
        return new Oversized(arrival.cost(), capacity, remaining, reset);
      }
      long wait = conformsAt - now;
      if (judgement.metRefused()) return new NonConforming(remaining, wait, reset);
      if (wait == 0) return new Conforming(remaining, reset);
      return wait <= rule.patienceMicros()
          ? new Waiting(remaining, wait, reset)
          : new NonConforming(remaining, wait, reset);
    }

    /** Whether an arrival of this cost, alone, would be within the quota at t. */
    private boolean conforms(long t, long cost) {
      return switch (rule.algorithm()) {
        case GCRA ->
            ticks(t).max(tat).add(span(cost)).subtract(burst.multiply(period)).compareTo(ticks(t))
                <= 0;
        case SLIDING_WINDOW_LOG -> {
          long gone = t - periodMicros;
          long sum = cost;
          for (Entry each : entries) {
            if (each.atMicros > gone) sum = Math.addExact(sum, each.cost);
          }
          yield sum <= rule.quota().permits();
        }
        case SLIDING_WINDOW_COUNTER -> {
          BigInteger elapsed = BigInteger.valueOf(t % periodMicros);
          BigInteger weighted = countedIn(t, -1).multiply(period.subtract(elapsed));
          BigInteger whole = countedIn(t, 0).add(BigInteger.valueOf(cost)).multiply(period);
          yield weighted.add(whole).compareTo(permits.multiply(period)) <= 0;
        }
      };
    }

    /** Permits counted in the epoch-aligned period of t, or so many before. */
    private BigInteger countedIn(long t, int periods) {
      long number = t / periodMicros + periods;
      long sum = 0;
      for (Entry each : entries) {
        if (each.period == number) sum = Math.addExact(sum, each.cost);
      }
      return BigInteger.valueOf(sum);
    }

    private BigInteger ticks(long micros) {
      return BigInteger.valueOf(micros).multiply(permits);
    }

    private BigInteger span(long cost) {
      return BigInteger.valueOf(cost).multiply(period);
    }

    private long firstConforming(long now, long cost) {
      long capacity =
          rule.algorithm() == Algorithm.GCRA ? burst.longValue() : rule.quota().permits();
      if (cost > capacity) return NEVER;
      long from = Math.max(now, reservedMicros);
      if (rule.algorithm() != Algorithm.SLIDING_WINDOW_LOG) {
        return firstFrom(from, t -> conforms(t, cost));
      }
      // A log's windows change only when an entry leaves: those instants are the candidates.
      if (conforms(from, cost)) return from;
      return entries.stream()
          .mapToLong(each -> each.atMicros + periodMicros)
          .filter(t -> t > from)
          .sorted()
          .distinct()
          .filter(t -> conforms(t, cost))
          .findFirst()
          .orElseThrow();
    }

    /** The greatest cost that would conform at this very instant. */
    private long remaining(long now) {
      if (!conforms(now, 1)) return 0;
      long most = rule.algorithm() == Algorithm.GCRA ? burst.longValue() : rule.quota().permits();
      return firstFrom(1, n -> n == most || !conforms(now, n + 1));
    }

    /** The first instant at which nothing that was charged makes a difference any more. */
    private long resetAt(long now) {
      return switch (rule.algorithm()) {
        case GCRA -> firstFrom(now, t -> ticks(t).compareTo(tat) >= 0);
        case SLIDING_WINDOW_LOG -> {
          long newest = now;
          for (Entry each : entries) {
            newest = Math.max(newest, each.atMicros + periodMicros);
          }
          yield newest;
        }
        case SLIDING_WINDOW_COUNTER ->
            firstFrom(now, t -> countedIn(t, 0).signum() == 0 && countedIn(t, -1).signum() == 0);
      };
    }
  }

  /** The first t at or after {@code from} at which it holds, for what holds ever after. */
  private static long firstFrom(long from, LongPredicate holds) {
    if (holds.test(from)) return from;
    long fails = from;
    long step = 1;
    while (!holds.test(fails + step)) {
      fails += step;
      step *= 2;
    }
    long succeeds = fails + step;
    while (succeeds - fails > 1) {
      long middle = fails + (succeeds - fails) / 2;
      if (holds.test(middle)) succeeds = middle;
      else fails = middle;
    }
    return succeeds;
  }
}
