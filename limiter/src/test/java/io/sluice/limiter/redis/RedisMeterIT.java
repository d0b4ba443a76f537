package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.ScriptCall.AnonymousNames;
import io.sluice.limiter.redis.ScriptPipeline.Link;
import io.sluice.testing.TestScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Connection;

class RedisMeterIT {
  private static final long NOW = 1_700_000_000_000_000L;

  private static RedisTestServer redis;

  @BeforeAll
  static void start() {
    redis = new RedisTestServer();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void empty() {
    redis.client.flushAll();
  }

  private static Request request(Rule rule, String eventId, long nowMicros) {
    Arrival arrival = new Arrival(eventId, 1, nowMicros);
    return Request.of(arrival, List.of(new Bucket(rule, "user")));
  }

  @Test
  void aHundredThreadsOnOneKeyGetExactlyTheQuota() throws Exception {
    Rule rule = Rule.policing("reply", Quota.parse("10/60s"), Algorithm.SLIDING_WINDOW_LOG);
    ExecutorService threads = Executors.newFixedThreadPool(100);
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      List<Callable<Outcome>> calls = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        Request request = request(rule, "event" + i, NOW + i);
        calls.add(() -> meter.meter(request));
      }
      int admitted = 0;
      for (Future<Outcome> each : threads.invokeAll(calls)) if (each.get().admitted()) admitted++;
      assertThat(admitted).isEqualTo(10);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void callsThatAreUnderWayKeepTheirOrderWhenTheScriptIsForgotten() throws Exception {
    Rule rule = Rule.policing("reply", Quota.parse("1000000/60s"), Algorithm.SLIDING_WINDOW_LOG);
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"));
        RedisMeter others = new RedisMeter(redis.settings("others"))) {
      Future<Integer> flushes =
          other.submit(
              () -> {
                int count = 0;
                for (; !ended.get(); count++) {
                  redis.client.scriptFlush();
                  others.meter(request(rule, "other" + count, NOW)); // loads the script again
                }
                return count;
              });
      List<Request> undisturbed = List.of();
      for (int round = 0; round < 50; round++) {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
          int next = 1_000 * round + i;
          requests.add(request(rule, "event" + next, NOW + next));
        }
        undisturbed = requests;
        List<Outcome> outcomes = meter.meter(requests);
        for (int i = 0; i < outcomes.size(); i++) { // not judged by a later one's clock
          assertThat(outcomes.get(i).judgements().get(0).nowMicros())
              .isEqualTo(requests.get(i).arrival().nowMicros());
        }
      }
      ended.set(true);
      assertThat(flushes.get()).isPositive();
      redis.client.flushAll();
      meter.meter(undisturbed);
      assertThat(redis.client.keys("*pipeline*")).isEmpty();
    } finally {
      ended.set(true);
      other.shutdown();
    }
  }

  @Test
  void aCallRunsOnlyIfTheOneAheadOfItInThePipelineHas() {
    Rule rule = Rule.policing("reply", Quota.parse("5/60s"), Algorithm.GCRA);
    RedisScript script = MeterScript.SCRIPT;
    ScriptCall call = new ScriptCall(new RedisKeys("sluice"), new AnonymousNames(), 0, 0);
    call.take(request(rule, "one", NOW));
    try (Connection connection = redis.connect()) {
      connection.executeCommand(script.byText(call));
      redis.client.flushAll();
      assertThatThrownBy(() -> connection.executeCommand(script.byName(call, Link.of("p", 1, 2))))
          .hasMessageStartingWith("SKIPPED");
      assertThat(redis.client.keys("*")).isEmpty();
      connection.executeCommand(script.byName(call, Link.of("p", 0, 1)));
      connection.executeCommand(script.byName(call, Link.of("p", 1, 2)));
      assertThat(redis.client.ttl("p")).isBetween(1L, 60L);
      connection.executeCommand(script.byName(call, Link.of("p", 2, 0)));
      assertThat(redis.client.exists("p")).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void oneInstantHoldsExactlyTheQuota(Algorithm algorithm) {
    Rule rule = Rule.policing("reply", Quota.parse("4/60s"), algorithm);
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      List<Request> burst =
          IntStream.range(0, 20).mapToObj(i -> request(rule, "event" + i, NOW)).toList();
      List<Outcome> outcomes = meter.meter(burst);
      assertThat(outcomes.stream().filter(Outcome::admitted)).hasSize(4);
      assertThat(meter.meter(burst)).as("the same again").hasSameSizeAs(burst);
      assertThat(meter.meter(burst).stream().map(Outcome::admitted).toList())
          .isEqualTo(outcomes.stream().map(Outcome::admitted).toList());
    }
  }

  @Test
  void aScriptThatRedisForgotIsLoadedAgain() {
    Rule rule = Rule.policing("reply", Quota.parse("5/60s"), Algorithm.GCRA);
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      meter.meter(request(rule, "one", NOW));
      redis.client.scriptFlush();
      assertThat(meter.meter(request(rule, "two", NOW)).decision(0).remaining()).isEqualTo(3);
    }
  }

  /**
   * Returns seeds whose rules keep nothing of a refusal: they count no attempts, and never block.
   */
  static LongStream seedsWithoutTraces() {
    return LongStream.range(0, 200)
        .filter(
            seed ->
                RedisTraffic.small(seed, 0).rules().stream()
                    .noneMatch(rule -> rule.countsAttempts() || rule.blocks()))
        .limit(TestScale.of(5, 15));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seedsWithoutTraces")
  void whatIsRefusedLeavesEveryByteAsItWas(long seed) {
    int refused = 0;
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      for (Request request : RedisTraffic.small(seed, 300).requests()) {
        Map<String, String> before = dump();
        if (meter.meter(request).admitted()) continue;
        refused++;
        assertThat(dump()).as("seed %d, %s", seed, request).isEqualTo(before);
      }
    }
    assertThat(refused).as("seed %d", seed).isPositive();
  }

  private static Map<String, String> dump() {
    Map<String, String> all = new TreeMap<>();
    for (String key : redis.client.keys("*")) {
      all.put(key, Base64.getEncoder().encodeToString(redis.client.dump(key)));
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noKeyStaysForever(long seed) {
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      meter.meter(RedisTraffic.small(seed, 300).requests());
    }
    assertThat(redis.client.keys("*"))
        .as("seed %d", seed)
        .allSatisfy(key -> assertThat(redis.client.pttl(key)).as(key).isPositive());
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void anEventIsKnownForLessThanAPeriod(Algorithm algorithm) {
    Rule rule = Rule.policing("reply", Quota.parse("5/60s"), algorithm);
    long period = rule.quota().periodMicros();
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      meter.meter(request(rule, "one", NOW));
      Map<String, String> before = dump();
      assertThat(meter.meter(request(rule, "one", NOW + period - 1)).admitted()).isTrue();
      assertThat(dump()).isEqualTo(before);
      assertThat(meter.meter(request(rule, "one", NOW + period)).admitted()).isTrue();
      assertThat(dump()).isNotEqualTo(before);
    }
  }

  /** Simulates a restart with another file: the key has the rate that its TAT was counted in. */
  @Test
  void permitsInUseStayInUseUnderAnotherQuota() {
    Rule sevenths = Rule.policing("reply", Quota.parse("7/1s"), Algorithm.GCRA);
    Rule elevenths = Rule.policing("reply", Quota.parse("11/1s"), Algorithm.GCRA);
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      for (String id : List.of("one", "two", "three")) meter.meter(request(sevenths, id, NOW));
      // 3/11 s are 272,727.27 microseconds; the part that is rounded up is still in use.
      Arrival asks = new Arrival("", 0, NOW);
      assertThat(meter.meter(Request.of(asks, List.of(new Bucket(elevenths, "user")))).decision(0))
          .isEqualTo(new Decision.Conforming(7, 272_728));
    }
  }

  @Test
  void withoutMemoryNothingIsChargedAnywhere() {
    Rule log = Rule.policing("log", Quota.parse("5/60s"), Algorithm.SLIDING_WINDOW_LOG);
    Rule gcra = Rule.policing("gcra", Quota.parse("5/60s"), Algorithm.GCRA);
    Request request =
        Request.of(
            new Arrival("one", 1, NOW), List.of(new Bucket(gcra, "user"), new Bucket(log, "user")));
    try (RedisTestServer own = new RedisTestServer();
        RedisMeter meter = new RedisMeter(own.settings("sluice"))) {
      own.client.configSet("maxmemory", "1");
      assertUnavailable(own, () -> meter.meter(request));
      own.client.configSet("maxmemory", "0");
      assertThat(own.client.dbSize()).isZero();
      assertThat(meter.meter(request).admitted()).isTrue();
      assertThat(own.client.dbSize()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void aKeyOutlivesItsNeedByTheGrace(Algorithm algorithm) {
    Rule rule = Rule.policing("reply", Quota.parse("7/1h"), algorithm);
    RedisSettings settings = redis.settings("sluice").withGrace(Duration.ofMinutes(1));
    try (RedisMeter meter = new RedisMeter(settings)) {
      long began = System.nanoTime();
      Outcome outcome = meter.meter(request(rule, "", NOW));
      long needMillis = (outcome.decision(0).resetAfterMicros() + 999) / 1_000;
      String key = redis.client.keys("*").iterator().next();
      long left = redis.client.pttl(key);
      long passedMillis = (System.nanoTime() - began) / 1_000_000 + 1;
      long longest = needMillis + 1 + 60_000;
      assertThat(left).isBetween(longest - passedMillis, longest);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void clocksThatLagNeverLetMoreThanTheQuotaIntoAWindow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Quota quota = Quota.of(1 + random.nextLong(6), Duration.ofSeconds(1));
    Rule rule = Rule.policing("reply", quota, Algorithm.SLIDING_WINDOW_LOG);
    List<Long> admitted = new ArrayList<>();
    long[] clocks = {NOW, NOW - 700_000, NOW - 3_000_000};
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      for (int i = 0; i < 500; i++) {
        int partition = random.nextInt(clocks.length);
        clocks[partition] += random.nextLong(300_000);
        Outcome outcome = meter.meter(request(rule, "event" + i, clocks[partition]));
        if (outcome.admitted()) admitted.add(outcome.judgements().get(0).nowMicros());
      }
    }
    admitted.sort(null);
    int most = (int) quota.permits();
    for (int i = most; i < admitted.size(); i++) {
      assertThat(admitted.get(i) - admitted.get(i - most))
          .as("seed %d", seed)
          .isGreaterThanOrEqualTo(quota.periodMicros());
    }
    assertThat(admitted).hasSizeGreaterThan(20);
  }

  @Test
  void floodedAttemptsDoNotGrowTheLogAndWhoWasAdmittedStaysSo() {
    Quota quota = Quota.parse("5/60s");
    Rule rule = new Rule("login", quota, Algorithm.SLIDING_WINDOW_LOG, 0, true, false);
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      List<Request> flood =
          IntStream.range(0, 5_000).mapToObj(i -> request(rule, "e" + i, NOW + i / 3)).toList();
      meter.meter(flood);
      assertThat(redis.client.zcard(redis.client.keys("*").iterator().next())).isLessThan(300);
      assertThat(meter.meter(flood.get(3)).admitted()).isTrue();
      assertThat(meter.meter(flood.get(4_900)).admitted()).isFalse();
    }
  }

  @Test
  void removingTakesEverythingUnderThePrefixAndNothingElse() {
    Rule rule = Rule.policing("reply", Quota.parse("5/60s"), Algorithm.GCRA);
    try (RedisMeter meter = new RedisMeter(redis.settings("a*"));
        RedisMeter other = new RedisMeter(redis.settings("ab"))) {
      other.meter(request(rule, "", NOW));
      for (int i = 0; i < 3_000; i += 500) {
        int from = i;
        meter.meter(
            IntStream.range(from, from + 500)
                .mapToObj(
                    user ->
                        Request.of(
                            new Arrival("", 1, NOW), List.of(new Bucket(rule, "user" + user))))
                .toList());
      }
      meter.removeAll();
      assertThat(redis.client.keys("*")).containsExactly("ab:{user}:reply:g2:user");
    }
  }

  @Test
  void aServerThatIsGoneOrSilentIsNamedInOneLine() {
    Rule rule = Rule.policing("reply", Quota.parse("5/60s"), Algorithm.GCRA);
    try (RedisTestServer own = new RedisTestServer();
        RedisMeter meter =
            new RedisMeter(own.settings("sluice").withTimeout(Duration.ofMillis(300)))) {
      meter.meter(request(rule, "one", NOW));
      own.server.pause();
      assertUnavailable(own, () -> meter.meter(request(rule, "two", NOW)));
      own.server.resume();
      assertThat(meter.meter(request(rule, "three", NOW)).admitted()).isTrue();
      own.server.kill();
      assertUnavailable(own, () -> meter.meter(request(rule, "four", NOW)));
      assertUnavailable(own, meter::removeAll);
    }
  }

  private static void assertUnavailable(RedisTestServer own, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageStartingWith("Redis at 127.0.0.1:" + own.server.port() + ": ")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aMeterIsMadeWithoutAServer() {
    new RedisMeter(RedisSettings.of("redis://127.0.0.1:1")).close();
  }
}
