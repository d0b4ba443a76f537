package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Change;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.filter.FilterSize;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.HeapRows;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisBloomIT {
  private static final long DAY = 86_400_000_000L;
  private static final long PERIOD = 4 * DAY;
  private static final long START = 20_000 * DAY;

  private static RedisTestServer redis;

  @BeforeAll
  static void start() {
    redis = new RedisTestServer();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  private static Rule rule(String name, long capacity, double error) {
    return Rule.policing(name, new Quota(1, PERIOD, 1), Algorithm.BLOOM)
        .with(new FilterSize(capacity, error));
  }

  /** Receiver of outcomes, and of reports of filters that grow. */
  private static final class Told implements Outcomes {
    private final Outcome[] outcomes;
    private final List<String> grown = new ArrayList<>();

    Told(int requests) {
      outcomes = new Outcome[requests];
    }

    @Override
    public void answered(int index, Outcome outcome) {
      outcomes[index] = outcome;
    }

    @Override
    public void grown(String limit) {
      grown.add(limit);
    }
  }

  /**
   * Compares the backends' bits, and so their false positives, below the capacity and far beyond
   * it: with resets, late arrivals, records that come again, and another limit.
   */
  @ParameterizedTest
  @CsvSource({"100, 0.1, 1", "5, 0.001, 2", "1000000000, 0.000001, 3", "300, 0.01, 4"})
  void bothBackendsHaveTheSameBits(long capacity, double error, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Rule offers =
        rule("offers" + seed, capacity, error)
            .changing(
                List.of(
                    new Change.Reset(START + PERIOD + 7),
                    new Change.Numbers(START + 2 * PERIOD, new Quota(1, PERIOD / 2, 1), 0)));
    Rule others = Rule.policing("others", Quota.parse("3/1h"), Algorithm.GCRA);
    List<Request> requests = new ArrayList<>();
    List<Outcome> expected = new ArrayList<>();
    List<String> grown = new ArrayList<>();
    RowMeter rows =
        new RowMeter(new HeapRows(), new Conditions(1, true, now -> now - 600_000_000, grown::add));
    long now = START;
    for (int i = 0; i < 6_000; i++) {
      now += random.nextLong(PERIOD / 500);
      long at = random.nextInt(8) == 0 ? now - random.nextLong(600_000_000) : now;
      Identity same = new Identity(1 + random.nextLong(500), 1, false);
      Identity identity = random.nextInt(10) == 0 ? same : new Identity(i + 1_000, i, true);
      Arrival arrival = new Arrival(identity, random.nextInt(20) == 0 ? 0 : 1, at);
      List<Bucket> buckets = new ArrayList<>();
      String user = "user-" + random.nextInt(2_000);
      buckets.add(new Bucket(offers, user + "|offer-7", user));
      if (random.nextInt(3) == 0) buckets.add(new Bucket(others, "user-" + i % 7));
      requests.add(Request.of(arrival, buckets));
      expected.add(rows.meter(arrival, buckets));
    }
    Told told = new Told(requests.size());
    try (RedisMeter meter = new RedisMeter(redis.settings("bits" + seed))) {
      meter.meter(requests.iterator(), told);
    }
    for (int i = 0; i < requests.size(); i++) {
      assertThat(told.outcomes[i])
          .as("seed %d, arrival %d: %s", seed, i, requests.get(i))
          .isEqualTo(expected.get(i));
    }
    assertThat(told.grown).isEqualTo(grown);
    assertThat(grown.isEmpty()).isEqualTo(capacity > 1_000);
    assertThat(expected.stream().filter(Outcome::admitted).count()).isBetween(1_000L, 5_500L);
  }

  @Test
  void everyKeyExpiresAndNoneIsLong() {
    Rule rule = rule("large", 100_000_000, 0.001);
    try (RedisMeter meter = new RedisMeter(redis.settings("sizes"))) {
      for (int i = 0; i < 300; i++) {
        Arrival arrival = new Arrival("record" + i, 1, START + i);
        meter.meter(Request.of(arrival, List.of(new Bucket(rule, "user-" + i))));
      }
    }
    long most = PERIOD / 1_000 + DAY / 1_000 + 600_001;
    List<String> keys = new ArrayList<>();
    for (byte[] key : redis.client.keys("sizes:*".getBytes(UTF_8))) {
      keys.add(new String(key, UTF_8));
      assertThat(redis.client.pttl(key)).as(keys.toString()).isBetween(1L, most);
      if (redis.client.type(key).equals("string")) {
        assertThat(redis.client.strlen(key)).isLessThanOrEqualTo(64 * 1_024);
      }
    }
    assertThat(keys).hasSizeGreaterThan(100).anyMatch(key -> key.endsWith(":recent"));
  }

  private static long admitted(RedisMeter meter, Rule rule, String event, long atMicros) {
    long admitted = 0;
    for (int i = 0; i < 40; i++) {
      Arrival arrival = new Arrival(event + i, 1, atMicros);
      Bucket bucket = new Bucket(rule, "user-" + i);
      if (meter.meter(Request.of(arrival, List.of(bucket))).admitted()) admitted++;
    }
    return admitted;
  }

  /** Partitions are at different instants, and share one list of generations. */
  @Test
  void whoIsFarAheadMakesNobodyForgottenWhoComesAgain() {
    long period = 600_000_000;
    Rule rule =
        Rule.policing("lag", new Quota(1, period, 1), Algorithm.BLOOM)
            .with(new FilterSize(1, 0.001));
    try (RedisMeter meter = new RedisMeter(redis.settings("lag"))) {
      assertThat(admitted(meter, rule, "a", START)).isEqualTo(40);
      Arrival ahead = new Arrival("ahead", 1, START + 2 * period);
      meter.meter(Request.of(ahead, List.of(new Bucket(rule, "somebody"))));
      assertThat(admitted(meter, rule, "b", START)).as("a little behind").isZero();
      Arrival farAhead = new Arrival("far", 1, START + 20 * period);
      meter.meter(Request.of(farAhead, List.of(new Bucket(rule, "somebody"))));
      admitted(meter, rule, "c", START); // far behind: forgotten, then known again
      assertThat(admitted(meter, rule, "d", START)).as("far behind").isZero();
    }
  }
}
