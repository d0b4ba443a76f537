package io.sluice.limiter.redis;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.ValueHash;
import io.sluice.limiter.filter.FilterSize;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Generator of seeded requests: bursts, idle gaps, lagging clocks, costs from 0 to oversized,
 * anonymous events, events that come twice, and releases, under up to three rules.
 */
final class RedisTraffic {
  /** All but the sketch: Redis hashes its values in another way, so its estimates differ. */
  private static final Algorithm[] ALGORITHMS =
      Arrays.stream(Algorithm.values())
          .filter(each -> each != Algorithm.HYPERLOGLOG)
          .toArray(Algorithm[]::new);

  private static final long FIFTY_YEARS = Duration.ofDays(18_263).toMillis() * 1_000;

  private final SplittableRandom random;
  private final SplittableRandom releases;
  private final Algorithm[] algorithms;
  private final List<Rule> rules = new ArrayList<>();
  private final List<Request> requests = new ArrayList<>();
  private final List<Integer> firsts = new ArrayList<>();
  private final long[] permits;
  private final long[] periodMillis;
  private final int users;
  private final long longestPeriod;
  private long clock;

  private RedisTraffic(
      long seed,
      int count,
      Algorithm[] algorithms,
      long[] permits,
      long[] periodMillis,
      long from) {
    random = new SplittableRandom(seed);
    releases = new SplittableRandom(~seed);
    this.algorithms = algorithms;
    this.permits = permits;
    this.periodMillis = periodMillis;
    int ruleCount = 1 + random.nextInt(3);
    for (int i = 0; i < ruleCount; i++) rules.add(rule("limit" + i));
    users = 1 + random.nextInt(3);
    longestPeriod =
        rules.stream().mapToLong(rule -> rule.quota().periodMicros()).max().orElseThrow();
    clock = random.nextInt(4) == 0 ? from : from + random.nextLong(FIFTY_YEARS);
    for (int i = 0; i < count; i++) requests.add(next(i));
  }

  /** Returns traffic with few permits, so that every one of them counts; from 1970 on. */
  static RedisTraffic small(long seed, int count) {
    return small(seed, count, ALGORITHMS);
  }

  /** Returns small traffic for funnels and logs only, for which the script has a fast path. */
  static RedisTraffic ofShortWay(long seed, int count) {
    return small(seed, count, new Algorithm[] {Algorithm.GCRA, Algorithm.SLIDING_WINDOW_LOG});
  }

  /** Returns small traffic for a Cluster, where a limit cannot have one filter for all keys. */
  static RedisTraffic ofCluster(long seed, int count) {
    Algorithm[] others =
        Arrays.stream(ALGORITHMS).filter(each -> !each.admitsOnce()).toArray(Algorithm[]::new);
    return small(seed, count, others);
  }

  private static RedisTraffic small(long seed, int count, Algorithm[] algorithms) {
    long[] permits = {1, 2, 5, 7, 10, 30};
    long[] periodMillis = {1, 7, 1_000, 60_000, 3_600_000};
    return new RedisTraffic(seed, count, algorithms, permits, periodMillis, 0);
  }

  /** Returns traffic with numbers near the largest ones, until the last day of the year 2200. */
  static RedisTraffic big(long seed, int count) {
    long[] permits = {1, 3, 700_000, 1_000_003, (1L << 31) - 1, 1L << 31};
    long[] periodMillis = {1, 3_600_000, 86_400_000, 86_400_000L * 1_000};
    long from = Arrival.LATEST_MICROS - FIFTY_YEARS;
    return new RedisTraffic(seed, count, ALGORITHMS, permits, periodMillis, from);
  }

  /** Returns the same request with this position. */
  static Request at(Position position, Request request) {
    return new Request(request.arrival(), request.buckets(), request.elsewhere(), position);
  }

  List<Request> requests() {
    return requests;
  }

  List<Rule> rules() {
    return rules;
  }

  private Rule rule(String name) {
    Algorithm algorithm = algorithms[random.nextInt(algorithms.length)];
    Quota quota = quota(algorithm);
    boolean counts = algorithm.canCountAttempts() && random.nextInt(4) == 0;
    boolean patient = algorithm.canReserve() && !counts && random.nextInt(3) == 0;
    long patience = patient ? 1 + random.nextLong(3 * quota.periodMicros()) : 0;
    Rule rule = new Rule(name, quota, algorithm, patience, counts, random.nextInt(5) == 0);
    if (algorithm.admitsOnce()) return rule.with(new FilterSize(50, 0.1));
    boolean blocks = !patient && random.nextInt(4) == 0;
    return blocks ? rule.blocking(1 + random.nextLong(2 * quota.periodMicros())) : rule;
  }

  private Quota quota(Algorithm algorithm) {
    Quota quota =
        Quota.of(
            algorithm.admitsOnce() ? 1 : permits[random.nextInt(permits.length)],
            Duration.ofMillis(periodMillis[random.nextInt(periodMillis.length)]));
    boolean burst = algorithm.hasBurst() && random.nextBoolean();
    return burst
        ? quota.withBurst(1 + random.nextLong(Math.min(Quota.MOST_PERMITS, 2 * quota.permits())))
        : quota;
  }

  private Request next(int i) {
    if (i > 0 && random.nextInt(10) == 0) return again();
    firsts.add(i);
    clock = Math.min(clock + step(), Arrival.LATEST_MICROS - 1);
    long now = random.nextInt(8) == 0 ? lagging() : clock;
    Arrival arrival = orRelease(new Arrival(identity(), cost(), now));
    String user = "user" + random.nextInt(users);
    List<Bucket> buckets =
        rules.stream().map(rule -> Bucket.ofValues(rule, user, user, values(rule))).toList();
    return new Request(arrival, buckets, elsewhere(now), Position.NONE);
  }

  /** Returns one value; for one event in three, up to as many as there are. */
  private List<ValueHash> values(Rule rule) {
    if (!rule.algorithm().countsDistinct()) return List.of(ValueHash.NONE);
    long most = Math.min(rule.quota().permits() + 1, 60);
    long count = random.nextInt(3) > 0 ? 1 : 1 + random.nextLong(2 * most);
    return Stream.generate(() -> value(rule)).limit(count).toList();
  }

  /** Returns one of somewhat more values than permits, at most 60 for large quotas. */
  private ValueHash value(Rule rule) {
    return new ValueHash(
        random.nextInt(2), random.nextLong(Math.min(rule.quota().permits() + 1, 60)));
  }

  /** Returns the result of limits elsewhere; most arrivals have none. */
  private Standing elsewhere(long now) {
    return switch (random.nextInt(40)) {
      case 0 -> Standing.refusing();
      case 1 -> Standing.conforming(now + random.nextLong(longestPeriod));
      case 2 -> Standing.conforming(0);
      case 3 -> new Standing(true, random.nextBoolean(), 0, true);
      default -> Standing.NONE;
    };
  }

  private Identity identity() {
    return random.nextInt(15) == 0
        ? Identity.NONE
        : new Identity(random.nextLong(), random.nextInt(), random.nextInt(4) > 0);
  }

  /**
   * Returns one of the last events, now: the same record, or one that claims to be the same event.
   */
  private Request again() {
    firsts.removeIf(index -> index < requests.size() - (random.nextBoolean() ? 10 : 200));
    if (firsts.isEmpty()) firsts.add(requests.size() - 1);
    Request first = requests.get(firsts.get(random.nextInt(firsts.size())));
    Arrival was = first.arrival();
    clock = Math.min(clock + (random.nextBoolean() ? 0 : step()), Arrival.LATEST_MICROS - 1);
    long now = random.nextInt(8) == 0 ? lagging() : clock;
    Identity same = was.identity();
    boolean another = same.claimed() && random.nextBoolean();
    Identity identity = another ? new Identity(same.event(), random.nextInt(), true) : same;
    Arrival arrival = orRelease(new Arrival(identity, was.cost(), now));
    return new Request(arrival, first.buckets(), elsewhere(now), Position.NONE);
  }

  /** Returns the arrival, or one time in six a release whose span ends at the arrival's time. */
  private Arrival orRelease(Arrival arrival) {
    if (releases.nextInt(6) > 0 || arrival.nowMicros() == 0) return arrival;
    Quota quota = rules.get(releases.nextInt(rules.size())).quota();
    long interval = quota.periodMicros() / quota.permits();
    long span =
        releases.nextBoolean()
            ? releases.nextLong(3 * interval + 2)
            : releases.nextLong(2 * quota.periodMicros());
    long latest = arrival.nowMicros();
    return Arrival.release(arrival.identity(), arrival.cost(), Math.max(0, latest - span), latest);
  }

  private long step() {
    Rule rule = rules.get(random.nextInt(rules.size()));
    long period = rule.quota().periodMicros();
    long mean = Math.max(1, 2 * period / rule.quota().permits() / users);
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> 0;
      case 3 -> random.nextInt(20) == 0 ? random.nextLong(4 * longestPeriod) : 1;
      case 4 -> period / Math.max(1, rule.quota().permits());
      default -> random.nextLong(mean);
    };
  }

  private long lagging() {
    return Math.max(0, clock - random.nextLong(longestPeriod));
  }

  private static long most(Rule rule) {
    if (rule.algorithm().admitsOnce()) return 1;
    return rule.algorithm().countsDistinct() ? rule.quota().permits() : rule.capacity();
  }

  private long cost() {
    Rule rule = rules.get(random.nextInt(rules.size()));
    long most = most(rule);
    return switch (random.nextInt(20)) {
      case 0 -> 0;
      case 1 -> most;
      case 2 -> most + 1;
      case 3 -> random.nextInt(10) == 0 ? Long.MAX_VALUE : 2;
      case 4, 5, 6 -> 1 + random.nextLong(most);
      default -> 1;
    };
  }
}
