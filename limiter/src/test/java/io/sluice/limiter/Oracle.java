package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision.Blocked;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.Known;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.Decision.Waiting;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Reference implementation of all limits, from their definitions and by brute force: every charged
 * arrival is kept in a list, every question is "would it conform at t?", and first instants and
 * greatest amounts are found by asking it. Shares no code and no constant with the implementations
 * that it checks.
 */
public final class Oracle {
  private static final long NEVER = Long.MAX_VALUE;

  /** Latest TAT after a change, in the year 2239; it stands for all later ones. */
  private static final long LATEST_TAT_MICROS = 8_500_000_000_000_000L;

  private final Map<List<String>, Key> keys = new HashMap<>();
  private final Map<Rule, List<Numbers>> histories = new IdentityHashMap<>();

  /**
   * Numbers in force from an instant on.
   *
   * @param reset whether buckets are reset at that instant
   * @param goneMicros latest instant that had left the window by then
   */
  private record Numbers(
      long from, Quota quota, long patience, long block, boolean reset, long goneMicros) {
    boolean differFrom(Numbers before) {
      boolean same =
          quota.equals(before.quota) && patience == before.patience && block == before.block;
      return reset || !same;
    }
  }

  /**
   * Returns a rule's numbers over time: the first ones, then one entry for each instant with
   * changes.
   */
  private static List<Numbers> history(Rule rule, List<Change> changes) {
    List<Numbers> history = new ArrayList<>();
    history.add(new Numbers(0, rule.quota(), rule.patienceMicros(), rule.blockMicros(), false, -1));
    for (long at : changes.stream().mapToLong(Change::atMicros).sorted().distinct().toArray()) {
      Numbers before = history.get(history.size() - 1);
      Quota quota = before.quota;
      long patience = before.patience;
      long block = before.block;
      boolean reset = false;
      for (Change each : changes) {
        if (each.atMicros() != at) continue;
        if (each instanceof Change.Reset) reset = true;
        if (!(each instanceof Change.Numbers numbers)) continue;
        quota = numbers.quota();
        patience = numbers.patienceMicros();
        block = numbers.blockMicros();
      }
      long gone = Math.max(before.goneMicros, at - before.quota.periodMicros());
      history.add(new Numbers(at, quota, patience, block, reset, gone));
    }
    return history;
  }

  private static int indexAt(List<Numbers> history, long t) {
    int i = history.size() - 1;
    while (i > 0 && history.get(i).from > t) i--;
    return i;
  }

  /**
   * Arrival that was charged, or counted as refused. {@code period} is the number of the
   * epoch-aligned period in which that was done; for a calendar window, the end of the period in
   * which it counts.
   */
  private record Entry(
      Identity identity, ValueHash value, long atMicros, long period, long cost, boolean refused) {
    boolean isSame(Identity other) {
      return isClaimed(other) && identity.record() == other.record();
    }

    boolean isClaimed(Identity other) {
      return !other.equals(Identity.NONE) && identity.event() == other.event();
    }
  }

  /** Admission that a filter knows until the end of its quarter of a period. */
  private record Passed(long eraMicros, long untilMicros) {}

  /** Answer of one limit about an arrival, at an instant, before the arrival is settled. */
  private record Said(
      Key key,
      long now,
      boolean blocked,
      Optional<Entry> same,
      Optional<Entry> claimed,
      long conformsAt,
      long latest) {
    boolean isEnforced() {
      return !key.rule.shadow();
    }

    boolean patient() {
      return !blocked && conformsAt != NEVER && key.isWaitable(now, conformsAt, latest);
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

    /** Returns the instant at which it admits the arrival; 0 if that is now. */
    long slot() {
      long at = wasAdmitted() ? same.get().atMicros : conformsAt;
      return at > now ? at : 0;
    }
  }

  /** Meters one arrival that only these limits judge, none of which changes. */
  public Outcome meter(Arrival arrival, List<Bucket> buckets) {
    return meter(arrival, buckets, Collections.nCopies(buckets.size(), List.of()));
  }

  /**
   * Meters one arrival under limits that change.
   *
   * @param changes of each bucket's rule, as many as are known by now
   */
  public Outcome meter(Arrival arrival, List<Bucket> buckets, List<List<Change>> changes) {
    List<Said> all = new ArrayList<>();
    for (int i = 0; i < buckets.size(); i++) {
      Bucket bucket = buckets.get(i);
      List<Change> known = changes.get(i);
      List<Numbers> history =
          histories.computeIfAbsent(bucket.rule(), rule -> history(rule, known));
      Key stored = keys.get(List.of(bucket.rule().name(), bucket.key()));
      all.add(new Key(bucket.rule(), history, stored, values(bucket)).judge(arrival));
    }
    Outcome outcome = settle(arrival, all);
    for (int i = 0; i < buckets.size(); i++) {
      Bucket bucket = buckets.get(i);
      Key judged = all.get(i).key;
      List<String> name = List.of(bucket.rule().name(), bucket.key());
      if (judged.written) keys.put(name, judged);
      else if (judged.begunBlock) keys.get(name).blockedUntil = judged.blockedUntil;
    }
    return outcome;
  }

  private static List<ValueHash> values(Bucket bucket) {
    return Stream.concat(Stream.of(bucket.value()), bucket.more().stream()).toList();
  }

  private static Outcome settle(Arrival arrival, List<Said> all) {
    List<Said> enforced = all.stream().filter(Said::isEnforced).toList();
    boolean open = enforced.stream().noneMatch(each -> each.blocked);
    if (open && !enforced.isEmpty() && enforced.stream().allMatch(Said::isDuplicate)) {
      long first = enforced.stream().mapToLong(Oracle::firstSlot).max().orElseThrow();
      return outcome(Outcome.Kind.DUPLICATE, first, arrival, all);
    }
    if (!enforced.stream().allMatch(Said::admits)) {
      if (!arrival.isRelease()) for (Said each : all) each.key.refuse(arrival, each);
      return outcome(Outcome.Kind.REFUSED, 0, arrival, all);
    }
    long slot = enforced.stream().mapToLong(Said::slot).max().orElse(0);
    for (Said each : all) {
      boolean leavesNow = arrival.isRelease() && slot <= arrival.latestMicros();
      long at = Math.max(each.now, leavesNow ? each.slot() : slot);
      if (each.isEnforced()) each.key.charge(arrival, each, at);
      else if (each.patient()) each.key.charge(arrival, each, Math.max(at, each.conformsAt));
      else each.key.refuse(arrival, each);
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

  /** State of one key under one limit. */
  private static final class Key {
    private final Rule rule;
    private final List<Numbers> history;
    private final List<ValueHash> values;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Entry> lastAdmitted = new ArrayList<>();
    private long clockMicros;
    private long reservedMicros;
    private boolean countedNow;
    private boolean written;
    private long blockedUntil;
    private boolean begunBlock;

    /** Theoretical arrival time in 1/permits of a microsecond, and the rate of those permits. */
    private BigInteger tat = BigInteger.ZERO;

    private BigInteger permits;
    private BigInteger period;

    // Numbers in force when it is judged, and the latest instant that has left the window for good.
    private long periodMicros;
    private CalendarUnit unit;
    private long mostPermits;
    private BigInteger burst;
    private BigInteger burstSpan;
    private long patienceMicros;
    private long blockMicros;
    private long goneMicros = -1;

    /** For a filter: its latest reset, and what it has admitted. */
    private long eraMicros;

    private final List<Passed> passed = new ArrayList<>();

    /** Permits by the number of their period; emptied when an entry is added. */
    private final Map<Long, Long> counted = new HashMap<>();

    /** Copies the stored state, which is null for a new key, for a rule with this history. */
    Key(Rule rule, List<Numbers> history, Key stored, List<ValueHash> values) {
      this.rule = rule;
      this.values = values;
      this.history = history;
      permits = BigInteger.valueOf(rule.quota().permits());
      period = BigInteger.valueOf(rule.quota().periodMicros());
      if (stored == null) return;
      entries.addAll(stored.entries);
      lastAdmitted.addAll(stored.lastAdmitted);
      passed.addAll(stored.passed);
      clockMicros = stored.clockMicros;
      reservedMicros = stored.reservedMicros;
      blockedUntil = stored.blockedUntil;
      tat = stored.tat;
      permits = stored.permits;
      period = stored.period;
    }

    Said judge(Arrival arrival) {
      long now = judgedAt(arrival);
      if (clockMicros > 0) forget();
      follow(now);
      countedNow = false;
      long conformsAt = firstConforming(now, arrival.cost());
      Identity identity = arrival.identity();
      List<Entry> claimed = claimed(identity, now);
      return new Said(
          this,
          now,
          blockedUntil > now,
          claimed.stream().filter(each -> each.isSame(identity)).findFirst(),
          isFilter()
              ? Optional.empty()
              : claimed.stream().max(Comparator.comparingLong(Entry::atMicros)),
          conformsAt,
          arrival.latestMicros());
    }

    /**
     * Returns the instant of the judgement. A release is judged at the end of its span if the limit
     * cannot reserve. Otherwise it is judged at the first instant of its span that no change of the
     * limit in the span follows and that no block covers that ends in the span.
     */
    private long judgedAt(Arrival arrival) {
      long earliest = Math.max(arrival.nowMicros(), clockMicros); // a filter's clock is always 0
      if (!arrival.isRelease()) return earliest;
      long latest = arrival.latestMicros();
      boolean reserves =
          switch (rule.algorithm()) {
            case GCRA, SLIDING_WINDOW_LOG, CALENDAR_WINDOW -> true;
            case SLIDING_WINDOW_COUNTER, BLOOM, DISTINCT_LOG, HYPERLOGLOG -> false;
          };
      if (!reserves) return Math.max(earliest, latest);
      for (int i = 1; i < history.size() && history.get(i).from <= latest; i++) {
        if (history.get(i).differFrom(history.get(i - 1))) {
          earliest = Math.max(earliest, history.get(i).from);
        }
      }
      return blockedUntil <= latest ? Math.max(earliest, blockedUntil) : earliest;
    }

    /** Whether the arrival may wait from now until t, for its patience or as a release. */
    private boolean isWaitable(long now, long t, long latest) {
      return t - now <= patienceMicros || t <= latest;
    }

    /** Applies the changes after its clock, up to now, one after another. */
    private void follow(long now) {
      int last = indexAt(history, now);
      int first = indexAt(history, clockMicros);
      countIn(history.get(first).quota, clockMicros);
      for (int i = first + 1; i <= last; i++) {
        Numbers next = history.get(i);
        Quota before = history.get(i - 1).quota;
        boolean other =
            next.quota.periodMicros() != before.periodMicros()
                || next.quota.unit() != before.unit();
        boolean counts =
            rule.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER
                || rule.algorithm() == Algorithm.CALENDAR_WINDOW;
        if (next.reset) eraMicros = next.from;
        if (isFilter()) continue;
        if (next.reset || counts && other) {
          entries.clear();
          lastAdmitted.clear();
          blockedUntil = 0;
          tat = BigInteger.ZERO;
        }
        countIn(next.quota, next.from);
      }
      Numbers inForce = history.get(last);
      periodMicros = inForce.quota.periodMicros();
      unit = inForce.quota.unit();
      mostPermits = inForce.quota.permits();
      burst = BigInteger.valueOf(inForce.quota.burst());
      burstSpan = burst.multiply(period);
      patienceMicros = inForce.patience;
      blockMicros = inForce.block;
      goneMicros = inForce.goneMicros;
      if (history.size() > 1) tat = tat.min(ticks(LATEST_TAT_MICROS));
    }

    /**
     * Converts the TAT to another rate: the backlog keeps its permits, and ends at a whole
     * microsecond.
     */
    private void countIn(Quota quota, long c) {
      BigInteger newPermits = BigInteger.valueOf(quota.permits());
      BigInteger newPeriod = BigInteger.valueOf(quota.periodMicros());
      if (newPermits.equals(permits) && newPeriod.equals(period)) return;
      BigInteger backlog = tat.subtract(ticks(c)); // in 1/permits of a microsecond
      BigInteger micros =
          backlog.signum() > 0
              ? ceil(backlog.multiply(newPeriod), period.multiply(newPermits))
                  .add(BigInteger.valueOf(c))
              : ceil(tat, permits);
      tat = micros.multiply(newPermits);
      permits = newPermits;
      period = newPeriod;
    }

    private static BigInteger ceil(BigInteger a, BigInteger b) {
      return a.add(b).subtract(BigInteger.ONE).divide(b);
    }

    private boolean isLog() {
      return rule.algorithm() == Algorithm.SLIDING_WINDOW_LOG || isDistinct();
    }

    private boolean isDistinct() {
      return rule.algorithm() == Algorithm.DISTINCT_LOG;
    }

    private boolean isFilter() {
      return rule.algorithm() == Algorithm.BLOOM;
    }

    /** Returns the instants until which a filter knows the key, as far as they still matter. */
    private LongStream knownUntil(long now) {
      return passed.stream()
          .filter(each -> each.eraMicros == eraMicros && each.untilMicros > cutoff(now))
          .mapToLong(Passed::untilMicros);
    }

    private void pass(Arrival arrival, long now) {
      long quarter = (periodMicros + 3) / 4;
      passed.add(new Passed(eraMicros, (now / quarter + 1) * quarter));
      entries.add(new Entry(arrival.identity(), ValueHash.NONE, 0, 0, 1, false));
      written = true;
    }

    private boolean isCalendar() {
      return rule.algorithm() == Algorithm.CALENDAR_WINDOW;
    }

    private long period(long now, long at) {
      return isCalendar()
          ? OracleCalendar.end(unit, rule.zone(), periodMicros, at)
          : now / periodMicros;
    }

    /** Counts all entries before the last period in the latest period before it. */
    private void keepTwoPeriods(long now) {
      entries.removeIf(each -> each.period <= now);
      long[] ends = entries.stream().mapToLong(Entry::period).sorted().distinct().toArray();
      if (ends.length < 3) return;
      long last = ends[ends.length - 1];
      long near = ends[ends.length - 2];
      entries.replaceAll(
          each ->
              each.period == last
                  ? each
                  : new Entry(
                      each.identity, each.value, each.atMicros, near, each.cost, each.refused));
    }

    private long cutoff(long now) {
      return Math.max(now - periodMicros, goneMicros);
    }

    /**
     * Drops entries that are two periods older than the clock: no window, period or memory has
     * them.
     */
    private void forget() {
      long longest = 0;
      for (Numbers each : history) longest = Math.max(longest, each.quota.periodMicros());
      long gone = clockMicros - 2 * longest;
      if (!isCalendar()) entries.removeIf(each -> each.atMicros <= gone);
    }

    /**
     * Returns the remembered admissions of an event: a log remembers all of its window, other
     * algorithms the last four admitted arrivals.
     */
    private List<Entry> claimed(Identity identity, long now) {
      if (isFilter() && knownUntil(now).findAny().isEmpty()) return List.of();
      List<Entry> claimed = new ArrayList<>();
      long cutoff = cutoff(now);
      for (Entry each : isLog() || isFilter() ? entries : lastAdmitted) {
        boolean remembered = isFilter() || !each.refused && each.atMicros > cutoff;
        if (remembered && each.isClaimed(identity)) claimed.add(each);
      }
      return claimed;
    }

    void charge(Arrival arrival, Said said, long at) {
      if (said.same.isPresent() || arrival.cost() == 0) return;
      if (isFilter()) {
        pass(arrival, said.now);
        return;
      }
      if (isDistinct()) {
        chargeValues(arrival, said, at);
        return;
      }
      Entry entry =
          new Entry(
              arrival.identity(), ValueHash.NONE, at, period(said.now, at), arrival.cost(), false);
      write(entry, said.now);
      if (!arrival.identity().equals(Identity.NONE)) lastAdmitted.add(entry);
      if (lastAdmitted.size() > 4) lastAdmitted.remove(0);
      tat = ticks(at).max(tat).add(span(arrival.cost()));
      if (patienceMicros > 0) reservedMicros = Math.max(reservedMicros, at);
    }

    private void chargeValues(Arrival arrival, Said said, long at) {
      long gone = Math.max(cutoff(said.now), at - periodMicros);
      for (ValueHash value : values) {
        if (isThere(value, gone)) continue;
        entries.removeIf(each -> each.value.equals(value)); // a value has one entry
        write(new Entry(arrival.identity(), value, at, 0, 1, false), said.now);
      }
    }

    /**
     * Counts the attempt if attempts count, and blocks the key unless the arrival is oversized or
     * asks.
     */
    void refuse(Arrival arrival, Said said) {
      countRefused(arrival, said);
      boolean over = !said.blocked && !said.admits() && said.conformsAt != NEVER;
      if (blockMicros == 0 || !over || arrival.cost() == 0) return;
      blockedUntil = said.now + blockMicros;
      begunBlock = true;
    }

    private void countRefused(Arrival arrival, Said said) {
      boolean counts = rule.countsAttempts() && said.conformsAt != NEVER;
      if (!counts || said.same.isPresent() || arrival.cost() == 0) return;
      long now = said.now;
      long period = period(now, now);
      write(new Entry(arrival.identity(), ValueHash.NONE, now, period, arrival.cost(), true), now);
      countedNow = true;
    }

    /**
     * Adds an entry. A log first drops entries that have left the window, so that they stay gone if
     * a longer period becomes known later.
     */
    private void write(Entry entry, long now) {
      if (isLog()) entries.removeIf(each -> each.atMicros <= cutoff(now));
      entries.add(entry);
      counted.clear();
      if (isCalendar()) keepTwoPeriods(now);
      clockMicros = now;
      written = true;
    }

    /** Whether an entry has a value, and is later than an instant. */
    private boolean isThere(ValueHash value, long afterMicros) {
      return entries.stream()
          .anyMatch(each -> each.value.equals(value) && each.atMicros > afterMicros);
    }

    private Set<ValueHash> distinctIn(long cutoff) {
      return entries.stream()
          .filter(each -> each.atMicros > cutoff)
          .map(Entry::value)
          .collect(Collectors.toCollection(HashSet::new));
    }

    /** Returns which costs are within the quota if the arrival's values come at t, all at once. */
    private LongPredicate conformingValues(long t) {
      Set<ValueHash> others = distinctIn(cutoff(t));
      boolean allThere = others.containsAll(values);
      others.removeAll(Set.copyOf(values));
      return cost -> allThere || others.size() + (cost > 0 ? values.size() : 0) <= mostPermits;
    }

    Decision decision(Arrival arrival, Said said, boolean duplicate) {
      long now = said.now;
      long blocked = Math.max(0, blockedUntil - now);
      long remaining = blocked > 0 ? 0 : remaining(now);
      long reset = Math.max(resetAt(now) - now, blocked);
      if (said.wasAdmitted() || duplicate && said.isDuplicate()) {
        long at = (said.wasAdmitted() ? said.same : said.claimed).orElseThrow().atMicros;
        return at > now
            ? new Waiting(remaining, at - now, reset)
            : new Conforming(remaining, reset);
      }
      if (said.blocked) return new Blocked(blocked, reset);
      long conformsAt = countedNow ? firstConforming(now, arrival.cost()) : said.conformsAt;
      if (conformsAt == NEVER && isFilter()) return new Known(reset);
      if (conformsAt == NEVER) {
        return isDistinct()
            ? new Oversized(values.size(), mostPermits, remaining, reset)
            : new Oversized(arrival.cost(), capacity(), remaining, reset);
      }
      long wait = conformsAt - now;
      if (wait == 0) return new Conforming(remaining, reset);
      return isWaitable(now, conformsAt, arrival.latestMicros())
          ? new Waiting(remaining, wait, reset)
          : new NonConforming(remaining, Math.max(wait, blocked), reset);
    }

    /** Whether an arrival of this cost, alone, would be within the quota at t. */
    private boolean conforms(long t, long cost) {
      return conformingAt(t).test(cost);
    }

    /** Returns which costs would be within the quota at t, for an arrival that comes alone. */
    private LongPredicate conformingAt(long t) {
      return switch (rule.algorithm()) {
        case GCRA -> {
          BigInteger backlog = tat.subtract(ticks(t)).max(BigInteger.ZERO);
          yield cost -> backlog.add(span(cost)).compareTo(burstSpan) <= 0;
        }
        case SLIDING_WINDOW_LOG -> {
          long used = usedSince(cutoff(t));
          yield cost -> Math.addExact(used, cost) <= mostPermits;
        }
        case HYPERLOGLOG -> throw new AssertionError("an estimate is not defined so");
        case DISTINCT_LOG -> conformingValues(t);
        case CALENDAR_WINDOW -> {
          long used = countedAt(t);
          yield cost -> used + cost <= mostPermits;
        }
        case BLOOM -> {
          boolean known = knownUntil(t).findAny().isPresent();
          yield cost -> !known;
        }
        case SLIDING_WINDOW_COUNTER -> {
          BigInteger elapsed = BigInteger.valueOf(t % periodMicros);
          BigInteger weighted = countedIn(t, -1).multiply(period.subtract(elapsed));
          BigInteger left = permits.subtract(countedIn(t, 0)).multiply(period).subtract(weighted);
          yield cost -> span(cost).compareTo(left) <= 0;
        }
      };
    }

    /** Returns the permits charged after an instant. */
    private long usedSince(long cutoff) {
      long sum = 0;
      for (Entry each : entries) {
        if (each.atMicros > cutoff) sum = Math.addExact(sum, each.cost);
      }
      return sum;
    }

    /** Returns the permits charged in the calendar period of t, or in later ones. */
    private long countedAt(long t) {
      long sum = 0;
      for (Entry each : entries) {
        if (each.period > t) sum = Math.addExact(sum, each.cost);
      }
      return sum;
    }

    /**
     * Returns the permits counted in the epoch-aligned period of t, or in one that is this far from
     * it.
     */
    private BigInteger countedIn(long t, int periods) {
      if (counted.isEmpty()) {
        for (Entry each : entries) counted.merge(each.period, each.cost, Math::addExact);
      }
      return BigInteger.valueOf(counted.getOrDefault(t / periodMicros + periods, 0L));
    }

    private BigInteger ticks(long micros) {
      return BigInteger.valueOf(micros).multiply(permits);
    }

    private BigInteger span(long cost) {
      return BigInteger.valueOf(cost).multiply(period);
    }

    private long firstConforming(long now, long cost) {
      if (isFilter()) return conforms(now, cost) ? now : NEVER;
      if (cost > capacity()) return NEVER;
      long from = patienceMicros > 0 ? Math.max(now, reservedMicros) : now;
      if (!isLog()) {
        return firstFrom(from, t -> conforms(t, cost));
      }
      // A log's windows change only when an entry leaves, so these instants are the candidates.
      if (conforms(from, cost)) return from;
      return entries.stream()
          .mapToLong(each -> each.atMicros + periodMicros)
          .filter(t -> t > from)
          .sorted()
          .distinct()
          .filter(t -> conforms(t, cost))
          .findFirst()
          .orElseGet(
              () -> {
                assertThat(isDistinct()).as("any cost up to the quota conforms some day").isTrue();
                return NEVER;
              });
    }

    private long capacity() {
      if (isDistinct()) return Long.MAX_VALUE;
      return rule.algorithm() == Algorithm.GCRA ? burst.longValue() : mostPermits;
    }

    /** Returns the greatest cost that would conform at this instant. */
    private long remaining(long now) {
      if (isDistinct()) return Math.max(0, mostPermits - distinctIn(cutoff(now)).size());
      LongPredicate conforming = conformingAt(now);
      if (!conforming.test(1)) return 0;
      long most = capacity();
      return firstFrom(1, n -> n == most || !conforming.test(n + 1));
    }

    /** Returns the first instant at which no charge makes a difference any more. */
    private long resetAt(long now) {
      return switch (rule.algorithm()) {
        case GCRA -> firstFrom(now, t -> ticks(t).compareTo(tat) >= 0);
        case SLIDING_WINDOW_LOG, DISTINCT_LOG -> {
          long newest = now;
          long cutoff = cutoff(now);
          for (Entry each : entries) {
            if (each.atMicros > cutoff) newest = Math.max(newest, each.atMicros + periodMicros);
          }
          yield newest;
        }
        case BLOOM -> knownUntil(now).map(until -> until + periodMicros).max().orElse(now);
        case HYPERLOGLOG -> throw new AssertionError("an estimate is not defined so");
        case CALENDAR_WINDOW -> {
          long last = now;
          for (Entry each : entries) last = Math.max(last, each.period);
          yield last;
        }
        case SLIDING_WINDOW_COUNTER ->
            firstFrom(now, t -> countedIn(t, 0).signum() == 0 && countedIn(t, -1).signum() == 0);
      };
    }
  }

  /**
   * Returns the first t at or after {@code from} at which a condition holds that then holds for
   * ever.
   */
  static long firstFrom(long from, LongPredicate holds) {
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
