package io.sluice.limiter.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RateLimiter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.Traffic;
import io.sluice.limiter.redis.RedisLimiter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.testing.TestScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

class AsyncRedisMeterIT {
  /**
   * Number of arrivals. The test runs with 3 seeds, one for each algorithm; at full scale with 12
   * seeds and 2,000 arrivals.
   */
  private static final int ARRIVALS = TestScale.of(500, 2_000);

  private static LimiterServer server;

  @BeforeAll
  static void start() {
    server = new LimiterServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static LongStream seeds() {
    return TestScale.seeds(3, 12);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theDecisionsAreThoseOfTheLimiterThatWaits(long seed) {
    List<Algorithm> algorithms =
        List.of(Algorithm.GCRA, Algorithm.SLIDING_WINDOW_LOG, Algorithm.SLIDING_WINDOW_COUNTER);
    Algorithm algorithm = algorithms.get((int) (seed % algorithms.size()));
    Quota quota = Quota.parse("5/60s");
    Traffic traffic = new Traffic(seed, 4, List.of(quota));
    List<Traffic.Event> events = new ArrayList<>();
    for (int i = 0; i < ARRIVALS; i++) events.add(traffic.next());
    List<Decision> expected = new ArrayList<>();
    try (RedisLimiter limiter = new RedisLimiter(settings("sync" + seed), "l", quota, algorithm)) {
      for (Traffic.Event each : events) {
        expected.add(limiter.meter("k" + each.key(), each.arrival()));
      }
    }
    try (AsyncRedisMeter meter = new AsyncRedisMeter(settings("async" + seed))) {
      AsyncRateLimiter limiter = meter.limiter(Rule.policing("l", quota, algorithm));
      List<CompletableFuture<Decision>> answers = new ArrayList<>();
      for (Traffic.Event each : events) {
        answers.add(limiter.meter("k" + each.key(), each.arrival()).toCompletableFuture());
      }
      assertThat(answers.stream().map(CompletableFuture::join))
          .as("%s, seed %d", algorithm, seed)
          .containsExactlyElementsOf(expected);
    }
  }

  /** The arrivals' clock leaps over years, so Redis must not expire keys by its own clock. */
  private static RedisSettings settings(String prefix) {
    return server.settings(prefix).withGrace(Duration.ofDays(3_660));
  }

  /** A quarter of the calls conform, some of each kind of call among them. */
  @Test
  void aHundredThreadsGetAsMuchAsThereIsInAllThreeWays() throws Exception {
    Quota quota = Quota.parse("1000/1h");
    RedisSettings settings = server.settings("together");
    Rule rule = Rule.policing("reply", quota, Algorithm.SLIDING_WINDOW_LOG);
    ExecutorService threads = Executors.newFixedThreadPool(100);
    try (RedisLimiter sync =
            new RedisLimiter(settings, "reply", quota, Algorithm.SLIDING_WINDOW_LOG);
        AsyncRedisMeter meter = new AsyncRedisMeter(settings);
        WaitingLimiter waiting = new WaitingLimiter(meter.limiter(rule))) {
      AsyncRateLimiter async = meter.limiter(rule);
      List<Callable<Decision>> ways =
          List.of(
              () -> sync.meter("k"),
              () -> async.meter("k").toCompletableFuture().get(),
              () -> waiting.acquire("k", Duration.ZERO),
              () -> waiting.acquireAsync("k", Duration.ofSeconds(1)).get());
      CountDownLatch begin = new CountDownLatch(1);
      List<Future<int[]>> counts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int first = i;
        counts.add(
            threads.submit(
                () -> {
                  begin.await();
                  int[] conforming = new int[ways.size()];
                  for (int call = 0; call < 40; call++) {
                    int way = (first + call) % ways.size();
                    if (ways.get(way).call() instanceof Conforming) conforming[way]++;
                  }
                  return conforming;
                }));
      }
      begin.countDown();
      int[] sum = new int[ways.size()];
      for (Future<int[]> each : counts) {
        for (int way = 0; way < sum.length; way++) sum[way] += each.get()[way];
      }
      assertThat(Arrays.stream(sum).sum()).isEqualTo(1_000);
      assertThat(sum).doesNotContain(0);
      assertThat(waiting.keys()).isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void thoseWhoWaitShareWhatRedisGivesOutInTheirOrder() {
    Rule rule = Rule.policing("paced", Quota.parse("50/1s").withBurst(1), Algorithm.GCRA);
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    try (AsyncRedisMeter meter = new AsyncRedisMeter(server.settings("paced"));
        WaitingLimiter waiting =
            new WaitingLimiter(meter.limiter(rule), new SystemTimer(), Runnable::run, 100)) {
      List<CompletableFuture<?>> turns = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        int number = i;
        turns.add(
            waiting
                .acquireAsync("k", Duration.ofMinutes(1))
                .thenAccept(
                    decision -> {
                      assertThat(decision).isInstanceOf(Conforming.class);
                      order.add(number);
                    }));
      }
      turns.forEach(CompletableFuture::join);
    }
    assertThat(order).hasSize(30).isSorted();
  }

  @Test
  void aServerThatDoesNotAnswerFailsTheCallAndTheNextOneSucceeds() throws Exception {
    RedisSettings settings = server.settings("silent").withTimeout(Duration.ofMillis(200));
    Rule rule = Rule.policing("reply", Quota.parse("1/1h"), Algorithm.GCRA);
    try (AsyncRedisMeter meter = new AsyncRedisMeter(settings, ForkJoinPool.commonPool(), 10);
        WaitingLimiter waiting = new WaitingLimiter(meter.limiter(rule));
        Connection console = new Connection("127.0.0.1", server.port())) {
      AsyncRateLimiter limiter = meter.limiter(rule);
      tell(console, "PAUSE", "60000", "WRITE");
      assertThatThrownBy(limiter.meter("k").toCompletableFuture()::get)
          .hasCauseInstanceOf(LimiterUnavailableException.class);
      assertThatThrownBy(() -> waiting.acquire("k", Duration.ofMinutes(1)))
          .isInstanceOf(LimiterUnavailableException.class);
      tell(console, "UNPAUSE");
      assertThat(limiter.meter("other").toCompletableFuture().get()).isInstanceOf(Conforming.class);
      assertThat(limiter.meter("other").toCompletableFuture().get())
          .isInstanceOf(NonConforming.class);
    }
  }

  private static void tell(Connection console, String... words) {
    console.sendCommand(Command.CLIENT, words);
    assertThat(console.getStatusCodeReply()).isEqualTo("OK");
  }

  @Test
  void aRuleThatDoesMoreThanRefuseIsNotTaken() {
    Quota quota = Quota.parse("1/1h");
    Rule shaping = new Rule("r", quota, Algorithm.GCRA, 1_000, false, false);
    Rule shadow = new Rule("r", quota, Algorithm.GCRA, 0, false, true);
    Rule distinct = Rule.policing("r", quota, Algorithm.DISTINCT_LOG);
    try (AsyncRedisMeter meter = new AsyncRedisMeter(server.settings("rules"))) {
      for (Rule each : List.of(shaping, shadow, distinct)) {
        assertThatThrownBy(() -> meter.limiter(each)).hasMessageContaining("can only refuse");
      }
    }
  }

  @Test
  void aLimiterThatBlocksItsThreadAnswersByAnExecutor() throws Exception {
    Quota quota = Quota.parse("1/1h");
    try (RedisLimiter sync =
        new RedisLimiter(server.settings("executed"), "r", quota, Algorithm.GCRA)) {
      AsyncRateLimiter limiter = AsyncRateLimiter.of((RateLimiter) sync, ForkJoinPool.commonPool());
      assertThat(limiter.meter("k").toCompletableFuture().get()).isInstanceOf(Conforming.class);
      assertThat(limiter.meter("k").toCompletableFuture().get()).isInstanceOf(NonConforming.class);
    }
  }
}
