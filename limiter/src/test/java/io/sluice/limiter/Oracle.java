package io.sluice.limiter;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.Decision.Waiting;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * The answers that limits must give, from their definitions and by brute force: every charged
 * arrival is kept in a list, every question is "would it conform at t?", and first instants and
 * greatest amounts are found by asking it. Shares no code and no constant with what it judges.
 */
public final class Oracle {
  private static final long NEVER = Long.MAX_VALUE;

  private final Map<Bucket, Key> keys = new HashMap<>();

  /**
   * An arrival that was charged, or counted as refused; and the epoch-aligned period, by number, in
   * which that was done.
   */
  private record Entry(Identity identity, long atMicros, long period, long cost, boolean refused) {
    boolean isSame(Identity other) {
      return isClaimed(other) && identity.record() == other.record();
    }

    boolean isClaimed(Identity other) {
      return !other.equals(Identity.NONE) && identity.event() == other.event();
    }
  }

  /** The answer of a limit about an arrival, at an instant, before it was settled. */
  private record Said(
      Key key, long now, Optional<Entry> same, Optional<Entry> claimed, long conformsAt) {
    boolean isEnforced() {
      return !key.rule.shadow();
    }

    boolean patient() {
      return conformsAt != NEVER && conformsAt - now <= key.rule.patienceMicros();
    }

    boolean wasAdmitted() {
      return same.isPresent();
    }

    boolean isDuplicate() {
      return same.isEmpty() && claimed.isPresent();
    }

    boolean admits() {
      return wasAdmitted() || patient();
    }

    /** When it lets the arrival in; 0 if that is now. */
    long slot() {
      long at = wasAdmitted() ? same.get().atMicros : conformsAt;
      return at > now ? at : 0;
    }
  }

  /** Meters one arrival that only these limits judge. */
  public Outcome meter(Arrival arrival, List<Bucket> buckets) {
    List<Said> all = new ArrayList<>();
    for (Bucket bucket : buckets) {
      all.add(keys.computeIfAbsent(bucket, Key::new).judge(arrival));
    }
    List<Said> enforced = all.stream().filter(Said::isEnforced).toList();
    if (!enforced.isEmpty() && enforced.stream().allMatch(Said::isDuplicate)) {
      long first = enforced.stream().mapToLong(Oracle::firstSlot).max().orElseThrow();
      return outcome(Outcome.Kind.DUPLICATE, first, arrival, all);
    }
    if (!enforced.stream().allMatch(Said::admits)) {
      for (Said each : all) each.key.countRefused(arrival, each);
      return outcome(Outcome.Kind.REFUSED, 0, arrival, all);
    }
    long slot = enforced.stream().mapToLong(Said::slot).max().orElse(0);
    for (Said each : all) {
      long at = Math.max(each.now, slot);
      if (each.isEnforced()) each.key.charge(arrival, each, at);
      else if (each.patient()) each.key.charge(arrival, each, Math.max(at, each.conformsAt));
      else each.key.countRefused(arrival, each);
    }
    return outcome(Outcome.Kind.ADMITTED, slot, arrival, all);
  }

  private static long firstSlot(Said duplicate) {
    long at = duplicate.claimed.orElseThrow().atMicros;
    return at > duplicate.now ? at : 0;
  }

  private static Outcome outcome(Outcome.Kind kind, long slot, Arrival arrival, List<Said> all) {
    boolean duplicate = kind == Outcome.Kind.DUPLICATE;
    return new Outcome(
        kind,
        slot,
        all.stream()
            .map(each -> new Judgement(each.now, each.key.decision(arrival, each, duplicate)))
            .toList());
  }

  /** Everything that one limit knows of one key. */
  private static final class Key {
    private final Rule rule;
    private final long periodMicros;
    private final BigInteger permits;
    private final BigInteger period;
    private final BigInteger burst;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Entry> lastAdmitted = new ArrayList<>();
    private long clockMicros;
    private long reservedMicros;
    private boolean countedNow;

    /** The theoretical arrival time, in 1/permits of a microsecond. */
    private BigInteger tat = BigInteger.ZERO;

    Key(Bucket bucket) {
      rule = bucket.rule();
      periodMicros = bucket.rule().quota().periodMicros();
      permits = BigInteger.valueOf(rule.quota().permits());
      period = BigInteger.valueOf(periodMicros);
      burst = BigInteger.valueOf(rule.quota().burst());
    }

    Said judge(Arrival arrival) {
      long now = Math.max(arrival.nowMicros(), clockMicros);
      forget();
      countedNow = false;
      long conformsAt = firstConforming(now, arrival.cost());
      Identity identity = arrival.identity();
      return new Said(
          this,
          now,
          remembered(now).filter(each -> each.isSame(identity)).findFirst(),
          remembered(now)
              .filter(each -> each.isClaimed(identity))
              .max(Comparator.comparingLong(Entry::atMicros)),
          conformsAt);
    }

    /** What ended two periods before the clock is in no window, counted period or memory again. */
    private void forget() {
      long gone = clockMicros - 2 * periodMicros;
      entries.removeIf(each -> each.atMicros <= gone);
    }

    /** A log remembers all of its window, others the last four that were admitted. */
    private Stream<Entry> remembered(long now) {
      boolean log = rule.algorithm() == Algorithm.SLIDING_WINDOW_LOG;
      return (log ? entries : lastAdmitted)
          .stream().filter(each -> !each.refused && each.atMicros > now - periodMicros);
    }

    void charge(Arrival arrival, Said said, long at) {
      if (said.same.isPresent() || arrival.cost() == 0) return;
      Entry entry =
          new Entry(arrival.identity(), at, said.now / periodMicros, arrival.cost(), false);
      entries.add(entry);
      if (!arrival.identity().equals(Identity.NONE)) lastAdmitted.add(entry);
      if (lastAdmitted.size() > 4) lastAdmitted.remove(0);
      tat = ticks(at).max(tat).add(span(arrival.cost()));
      clockMicros = said.now;
      if (rule.patienceMicros() > 0) reservedMicros = Math.max(reservedMicros, at);
    }

    void countRefused(Arrival arrival, Said said) {
      boolean counts = rule.countsAttempts() && said.conformsAt != NEVER;
      if (!counts || said.same.isPresent() || arrival.cost() == 0) return;
      long now = said.now;
      entries.add(new Entry(arrival.identity(), now, now / periodMicros, arrival.cost(), true));
      clockMicros = now;
      countedNow = true;
    }

    Decision decision(Arrival arrival, Said said, boolean duplicate) {
      long now = said.now;
      long remaining = remaining(now);
      long reset = resetAt(now) - now;
      if (said.wasAdmitted() || duplicate && said.isDuplicate()) {
        long at = (said.wasAdmitted() ? said.same : said.claimed).orElseThrow().atMicros;
        return at > now
            ? new Waiting(remaining, at - now, reset)
            : new Conforming(remaining, reset);
      }
      long conformsAt = countedNow ? firstConforming(now, arrival.cost()) : said.conformsAt;
      if (conformsAt == NEVER) {
        long capacity =
            rule.algorithm() == Algorithm.GCRA ? burst.longValue() : rule.quota().permits();
        return new Oversized(arrival.cost(), capacity, remaining, reset);
      }
      long wait = conformsAt - now;
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
