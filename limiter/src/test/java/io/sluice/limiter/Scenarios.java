package io.sluice.limiter;

import static io.sluice.limiter.Algorithm.CALENDAR_WINDOW;
import static io.sluice.limiter.Algorithm.DISTINCT_LOG;
import static io.sluice.limiter.Algorithm.GCRA;
import static io.sluice.limiter.Algorithm.HYPERLOGLOG;
import static io.sluice.limiter.Algorithm.SLIDING_WINDOW_COUNTER;
import static io.sluice.limiter.Algorithm.SLIDING_WINDOW_LOG;
import static io.sluice.limiter.CalendarUnit.DAY;
import static io.sluice.limiter.CalendarUnit.HOUR;
import static io.sluice.limiter.CalendarUnit.MONTH;
import static io.sluice.limiter.CalendarUnit.WEEK;
import static io.sluice.limiter.CalendarUnit.YEAR;

import io.sluice.limiter.filter.FilterSize;
import io.sluice.testing.TestScale;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Combinations of algorithms and their uses, alone and together, with seeded traffic and the
 * outcomes that the definitions require. In every second round, some arrivals are releases. By
 * default each algorithm is used in each way alone, and in two combinations, and in a third of the
 * others, which the seed chooses: 8 rounds of 120 events each, and one of 600, with one seed. At
 * full scale, 20 rounds of 2,500 events of every combination with each of two seeds.
 */
public final class Scenarios {
  private static final int ROUNDS = TestScale.of(9, 20);
  private static final int EVENTS = TestScale.isFull() ? 2_500 : 120;
  private static final int ONE_IN = 3;
  private static final List<String> QUOTAS =
      List.of(
          "5/60s",
          "7/60s",
          "3/1s",
          "1/2s",
          "20/10s",
          "2_147_483_648/1d",
          "13/7ms",
          "1/1d",
          "2/10s",
          "4/30s");

  /** Filters so large that they take none of the test's keys for another. */
  private static final FilterSize LARGE = new FilterSize(1_000_000, 0.000001);

  /** Limits of which one admits at instants that the other reserves. */
  private static final List<List<Limit>> ALWAYS =
      List.of(
          List.of(limit(CALENDAR_WINDOW, Way.POLICES), limit(GCRA, Way.RESERVES)),
          List.of(limit(DISTINCT_LOG, Way.POLICES), limit(SLIDING_WINDOW_LOG, Way.RESERVES)));

  /**
   * Limits with more rounds, because few instants matter: for fractions of GCRA, for the first
   * entry of a log with few permits, and for an earlier period than a reserved one.
   */
  private static final List<List<Limit>> LONGER =
      List.of(
          List.of(limit(GCRA, Way.POLICES)),
          List.of(limit(SLIDING_WINDOW_LOG, Way.POLICES)),
          ALWAYS.get(0));

  /** Algorithms whose answers follow from their definitions, so not the sketch. */
  private static final List<Algorithm> EXACT =
      Arrays.stream(Algorithm.values()).filter(each -> each != HYPERLOGLOG).toList();

  private static final List<CalendarUnit> UNITS = List.of(HOUR, HOUR, DAY, DAY, WEEK, MONTH, YEAR);
  private static final List<ZoneId> ZONES =
      Stream.of("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata")
          .map(ZoneId::of)
          .toList();

  /** Use of a rule, in addition to policing. */
  public enum Way {
    POLICES,
    RESERVES,
    COUNTS_ATTEMPTS,
    BLOCKS,
    BLOCKS_ATTEMPTS,
    WATCHES,
    WATCHES_RESERVING,
    WATCHES_ATTEMPTS,
    WATCHES_BLOCKING;

    /**
     * @param micros the longest wait of an arrival; also gives the length of a block
     */
    Rule rule(String name, Quota quota, Algorithm algorithm, long micros) {
      boolean reserves = this == RESERVES || this == WATCHES_RESERVING;
      Rule rule = new Rule(name, quota, algorithm, reserves ? micros : 0, attempts(), watches());
      if (algorithm.admitsOnce()) return rule.with(LARGE);
      return blocks() ? rule.blocking(micros / 4 + 1) : rule;
    }

    private boolean attempts() {
      return this == COUNTS_ATTEMPTS || this == WATCHES_ATTEMPTS || this == BLOCKS_ATTEMPTS;
    }

    boolean blocks() {
      return this == BLOCKS || this == BLOCKS_ATTEMPTS || this == WATCHES_BLOCKING;
    }

    boolean watches() {
      return name().startsWith("WATCHES");
    }

    boolean suits(Algorithm algorithm) {
      return switch (this) {
        case RESERVES, WATCHES_RESERVING -> algorithm.canReserve();
        case COUNTS_ATTEMPTS, WATCHES_ATTEMPTS, BLOCKS_ATTEMPTS -> algorithm.canCountAttempts();
        case BLOCKS, WATCHES_BLOCKING -> !algorithm.admitsOnce();
        default -> true;
      };
    }
  }

  public record Limit(Algorithm algorithm, Way way) {}

  private static Limit limit(Algorithm algorithm, Way way) {
    return new Limit(algorithm, way);
  }

  /** Arrival, its buckets, and the outcome that the oracle expects. */
  public record Step(Arrival arrival, List<Bucket> buckets, Outcome expected) {}

  private Scenarios() {}

  /** Returns the algorithms that count arrivals, and not values or keys. */
  public static Stream<Algorithm> algorithmsOfEvents() {
    return Arrays.stream(Algorithm.values())
        .filter(each -> !each.countsDistinct() && !each.admitsOnce());
  }

  /** Returns lists of limits, each with a seed. */
  public static Stream<Arguments> all() {
    List<List<Limit>> all = new ArrayList<>();
    for (Algorithm algorithm : EXACT) {
      for (Way way : Way.values()) {
        if (!way.suits(algorithm)) continue;
        Limit limit = limit(algorithm, way);
        all.add(List.of(limit));
        all.add(List.of(limit, limit(algorithm, Way.POLICES), limit));
      }
    }
    for (Algorithm other : EXACT) {
      all.add(List.of(limit(other, Way.POLICES), limit(GCRA, Way.RESERVES)));
      all.add(List.of(limit(other, Way.POLICES), limit(SLIDING_WINDOW_LOG, Way.RESERVES)));
      all.add(List.of(limit(other, Way.POLICES), limit(SLIDING_WINDOW_LOG, Way.COUNTS_ATTEMPTS)));
    }
    Limit distinct = limit(DISTINCT_LOG, Way.POLICES);
    all.add(List.of(limit(GCRA, Way.RESERVES), distinct, limit(DISTINCT_LOG, Way.WATCHES)));
    all.add(List.of(distinct, limit(SLIDING_WINDOW_LOG, Way.BLOCKS), distinct));
    Limit calendar = limit(CALENDAR_WINDOW, Way.RESERVES);
    all.add(List.of(calendar, limit(CALENDAR_WINDOW, Way.POLICES), limit(GCRA, Way.RESERVES)));
    all.add(List.of(limit(CALENDAR_WINDOW, Way.POLICES), calendar));
    Limit attempts = limit(SLIDING_WINDOW_LOG, Way.COUNTS_ATTEMPTS);
    Limit countedAttempts = limit(SLIDING_WINDOW_COUNTER, Way.COUNTS_ATTEMPTS);
    all.add(List.of(attempts, limit(GCRA, Way.RESERVES), countedAttempts));
    all.add(List.of(limit(SLIDING_WINDOW_LOG, Way.RESERVES), attempts, limit(GCRA, Way.RESERVES)));
    all.add(
        List.of(
            limit(GCRA, Way.POLICES),
            limit(SLIDING_WINDOW_LOG, Way.WATCHES_RESERVING),
            limit(SLIDING_WINDOW_COUNTER, Way.WATCHES_ATTEMPTS),
            limit(SLIDING_WINDOW_LOG, Way.WATCHES_ATTEMPTS)));
    all.add(List.of(limit(GCRA, Way.BLOCKS), limit(SLIDING_WINDOW_LOG, Way.BLOCKS_ATTEMPTS)));
    all.add(List.of(limit(GCRA, Way.RESERVES), limit(SLIDING_WINDOW_LOG, Way.BLOCKS)));
    all.add(
        List.of(
            limit(SLIDING_WINDOW_COUNTER, Way.BLOCKS),
            limit(SLIDING_WINDOW_LOG, Way.WATCHES_BLOCKING),
            limit(GCRA, Way.BLOCKS)));
    return TestScale.seeds(1, 2)
        .boxed()
        .flatMap(seed -> chosen(all, seed).map(limits -> Arguments.of(limits, seed)));
  }

  private static Stream<List<Limit>> chosen(List<List<Limit>> all, long seed) {
    if (TestScale.isFull()) return all.stream();
    List<List<Limit>> together =
        all.stream().filter(limits -> limits.size() > 1 && !ALWAYS.contains(limits)).toList();
    return Stream.concat(
        all.stream().filter(limits -> limits.size() == 1 || ALWAYS.contains(limits)),
        IntStream.range(0, together.size())
            .filter(i -> Math.floorMod(i - seed, ONE_IN) == 0)
            .mapToObj(together::get));
  }

  /** Returns the rounds of a scenario, created one at a time; each has its own rules and keys. */
  public static Stream<List<Step>> rounds(List<Limit> limits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int rounds = LONGER.contains(limits) ? 3 * ROUNDS : ROUNDS;
    return IntStream.range(0, rounds)
        .mapToObj(
            round -> {
              List<Rule> rules = rules("limit-" + round, limits, random);
              long trafficSeed = random.nextLong();
              return steps(rules, trafficSeed, events(round), Releases.of(round, trafficSeed));
            });
  }

  static IntStream rounds() {
    return IntStream.range(0, ROUNDS);
  }

  /**
   * Returns the number of events. Some rounds are long, to test states with many entries, such as
   * logs in pieces.
   */
  static int events(int round) {
    return TestScale.isFull() || round % 9 < 8 ? EVENTS : 5 * EVENTS;
  }

  /** Seeded choice of arrivals that become releases. */
  static final class Releases {
    private static final int NONE = Integer.MAX_VALUE;

    private final SplittableRandom random;
    private final int oneIn;

    private Releases(SplittableRandom random, int oneIn) {
      this.random = random;
      this.oneIn = oneIn;
    }

    /** Returns the choice for a round: none, or one in three. */
    static Releases of(int round, long seed) {
      return new Releases(new SplittableRandom(~seed), round % 2 == 0 ? NONE : 3);
    }

    /**
     * Returns the arrival, or a release whose span ends at the arrival's time. Many spans are as
     * long as an interval or a period, so that they begin where a slot is.
     */
    Arrival of(Arrival arrival, List<Quota> quotas) {
      if (random.nextInt(oneIn) > 0 || arrival.nowMicros() == 0) return arrival;
      Quota quota = quotas.get(random.nextInt(quotas.size()));
      long interval = quota.periodMicros() / quota.permits();
      long span =
          switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> interval;
            case 3 -> 2 * interval + 1;
            case 4 -> quota.periodMicros();
            case 5, 6 -> random.nextLong(3 * interval + 2);
            default -> random.nextLong(2 * quota.periodMicros());
          };
      long latest = arrival.nowMicros();
      return Arrival.release(
          arrival.identity(), arrival.cost(), Math.max(0, latest - span), latest);
    }
  }

  private static List<Step> steps(List<Rule> rules, long seed, int events, Releases releases) {
    List<Quota> quotas = rules.stream().map(Rule::quota).toList();
    Traffic traffic = new Traffic(seed, 4, quotas, true, true);
    Oracle oracle = new Oracle();
    List<Step> steps = new ArrayList<>(events);
    for (int i = 0; i < events; i++) {
      Traffic.Event event = traffic.next();
      List<Bucket> buckets = buckets(rules, event);
      Arrival arrival = releases.of(event.arrival(), quotas);
      Outcome expected = oracle.meter(arrival, buckets);
      steps.add(new Step(arrival, buckets, expected));
      hint(traffic, expected);
    }
    return steps;
  }

  /**
   * Returns buckets whose keys overlap: the first limit counts by the highest bits of the key's
   * number, each next one by one bit more.
   */
  static List<Bucket> buckets(List<Rule> rules, Traffic.Event event) {
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      String key = "key-" + (event.key() >> (rules.size() - 1 - i));
      buckets.add(Bucket.ofValues(rules.get(i), key, key, values(event, rules.get(i))));
    }
    return buckets;
  }

  /**
   * Returns one of somewhat more values than there are permits at first; for one event in three,
   * several of them, of which some are equal, and which may be more than the permits.
   */
  private static List<ValueHash> values(Traffic.Event event, Rule rule) {
    if (!rule.algorithm().countsDistinct()) return List.of(ValueHash.NONE);
    long values = 2 * Math.min(rule.quota().permits(), 20) + 1;
    List<ValueHash> all = new ArrayList<>();
    all.add(new ValueHash(7, Math.floorMod(event.value(), values)));
    SplittableRandom random = new SplittableRandom(event.value());
    if (random.nextInt(3) > 0) return all;
    for (long more = 1 + random.nextLong(values); more > 0; more--) {
      all.add(new ValueHash(7, random.nextLong(values)));
    }
    return all;
  }

  static Quota anyQuota(Limit limit, SplittableRandom random) {
    if (limit.algorithm() == CALENDAR_WINDOW && random.nextInt(4) > 0) {
      CalendarUnit unit = UNITS.get(random.nextInt(UNITS.size()));
      return Quota.of(1 + random.nextInt(20), unit);
    }
    Quota quota = Quota.parse(QUOTAS.get(random.nextInt(QUOTAS.size())));
    if (limit.algorithm().admitsOnce()) {
      return new Quota(1, Math.max(1_000_000, quota.periodMicros()), 1);
    }
    return limit.algorithm() == GCRA && random.nextBoolean()
        ? quota.withBurst(1 + random.nextLong(2 * quota.permits()) % Quota.MOST_PERMITS)
        : quota;
  }

  /**
   * Returns a rule for each limit. In half of the cases all have periods of one length, so that the
   * instants at which they change their answers meet. In half of these, a limit that reserves has
   * so few permits that it reserves several periods ahead.
   */
  static List<Rule> rules(String name, List<Limit> limits, SplittableRandom random) {
    boolean samePeriods = random.nextBoolean();
    boolean reservesFar = samePeriods && random.nextBoolean();
    List<Rule> rules = new ArrayList<>();
    for (Limit limit : limits) {
      Quota quota = anyQuota(limit, random);
      if (samePeriods && !rules.isEmpty())
        quota = withPeriodsOf(rules.get(0).quota(), quota, limit);
      long patience = 1 + random.nextLong(4 * quota.periodMicros());
      if (reservesFar && limit.way() == Way.RESERVES) {
        quota = new Quota(1 + random.nextInt(2), quota.periodMicros(), 1, quota.unit());
        patience = 4 * quota.periodMicros();
      }
      rules.add(
          limit
              .way()
              .rule(name + "-" + rules.size(), quota, limit.algorithm(), patience)
              .in(ZONES.get(random.nextInt(ZONES.size()))));
    }
    return rules;
  }

  private static Quota withPeriodsOf(Quota other, Quota quota, Limit limit) {
    long period = other.periodMicros();
    if (limit.algorithm() == CALENDAR_WINDOW) {
      return new Quota(quota.permits(), period, quota.burst(), other.unit());
    }
    long least = limit.algorithm().admitsOnce() ? 1_000_000 : period;
    return new Quota(quota.permits(), Math.max(least, period), quota.burst());
  }

  /** Gives the instants that an outcome names to the traffic. */
  static void hint(Traffic traffic, Outcome outcome) {
    for (Judgement each : outcome.judgements()) {
      long now = each.nowMicros();
      Decision decision = each.decision();
      traffic.edge(now + decision.resetAfterMicros());
      if (decision instanceof Decision.Waiting waits) {
        traffic.hint(waits.waitMicros());
        traffic.edge(now + waits.waitMicros());
      }
      if (decision instanceof Decision.NonConforming refused) {
        traffic.hint(refused.retryAfterMicros());
        traffic.edge(now + refused.retryAfterMicros());
      }
      if (decision instanceof Decision.Known known) traffic.hint(known.resetAfterMicros());
      if (decision instanceof Decision.Blocked blocked) {
        traffic.hint(blocked.retryAfterMicros());
        traffic.edge(now + blocked.retryAfterMicros());
      }
    }
  }
}
