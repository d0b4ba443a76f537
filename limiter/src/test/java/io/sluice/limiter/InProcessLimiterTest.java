package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.rows.Storage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow") // fills limiters with keys until they are swept
class InProcessLimiterTest {
  private static final int THREADS = 8;
  private static final long NOW = 60_000_000L * 1_000_000;

  private interface Work {
    long of(int thread);
  }

  /** Starts all threads together, and returns the sum of their results. */
  private static long together(Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      CountDownLatch start = new CountDownLatch(THREADS);
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        tasks.add(
            () -> {
              start.countDown();
              start.await();
              return work.of(thread);
            });
      }
      long sum = 0;
      for (Future<Long> each : pool.invokeAll(tasks)) sum += each.get();
      return sum;
    } finally {
      pool.shutdownNow();
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void manyThreadsOnOneKeyPassExactlyTheQuota(Algorithm algorithm) throws Exception {
    InProcessLimiter limiter = new InProcessLimiter(Quota.parse("9999/60s"), algorithm);
    long passed =
        together(
            thread -> {
              long conforming = 0;
              for (int i = 0; i < 5_000; i++) {
                Decision decision = limiter.meter("key", new Arrival("", 1, NOW));
                if (decision instanceof Conforming) conforming++;
              }
              return conforming;
            });
    assertThat(passed).isEqualTo(9_999);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void anEventThatManyThreadsMeterIsChargedOnce(Algorithm algorithm) throws Exception {
    InProcessLimiter limiter = new InProcessLimiter(Quota.parse("3000/60s"), algorithm);
    together(
        thread -> {
          for (int i = 0; i < 2_000; i++)
            limiter.meter("key", new Arrival("event-" + i % 4, 1, NOW));
          return 0;
        });
    assertThat(limiter.meter("key", new Arrival("", 0, NOW)).remaining()).isEqualTo(2_996);
  }

  /** Every key gets exactly its quota while thousands of idle keys are removed. */
  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void forgettingIdleKeysMeanwhileLosesNoCharge(Algorithm algorithm) throws Exception {
    Quota quota = Quota.parse("5/1s");
    InProcessLimiter limiter = new InProcessLimiter(quota, algorithm);
    int rounds = 60;
    int keys = 40;
    AtomicLong most = new AtomicLong();
    for (int round = 0; round < rounds; round++) {
      long now = NOW + 2_000_000L * round; // all keys are fully reset again, and so removed
      long passed =
          together(
              thread -> {
                long conforming = 0;
                for (int i = 0; i < 400; i++) {
                  String shared = "shared-" + i % keys;
                  if (limiter.meter(shared, new Arrival("", 1, now)) instanceof Conforming)
                    conforming++;
                  limiter.meter("once-" + thread + "-" + i + "-" + now, new Arrival("", 1, now));
                }
                return conforming;
              });
      assertThat(passed).as("round %d", round).isEqualTo(5L * keys);
      most.accumulateAndGet(limiter.size(), Math::max);
    }
    assertThat(most.get()).isLessThan(rounds * THREADS * 400 / 10);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void idleKeysAreForgottenAndLiveOnesAreNot(Algorithm algorithm) {
    InProcessLimiter limiter = new InProcessLimiter(Quota.parse("1/1h"), algorithm);
    for (int i = 0; i < 100_000; i++) limiter.meter("idle-" + i, new Arrival("", 1, NOW));
    assertThat(limiter.size()).isEqualTo(100_000);
    long later = NOW + 2 * 3_600_000_000L;
    for (int i = 0; i < 200_000; i++) limiter.meter("live-" + i, new Arrival("", 1, later));
    assertThat(limiter.size()).isEqualTo(200_000);
    for (int i = 0; i < 200_000; i += 1_000) {
      assertThat(limiter.meter("live-" + i, new Arrival("", 1, later)))
          .isInstanceOf(NonConforming.class);
    }
  }

  /** A long log is kept in pieces, in memory too, and its used-up pieces must be removed. */
  @Test
  void aLongLogDoesNotGrowForEver() {
    Rule rule = Rule.policing("log", Quota.parse("1000/1s"), Algorithm.SLIDING_WINDOW_LOG);
    WatchedRows rows = new WatchedRows();
    WindowLog log = new WindowLog(rule, new Storage(rows), new byte[0]);
    for (int i = 0; i < 100_000; i++) {
      long now = NOW + 1_000L * i;
      assertThat(log.conformsAt(now, 1)).isEqualTo(now);
      log.charge(now, now, 1, Identity.ofRecord("event-" + i).fingerprint());
    }
    assertThat(rows.size()).isBetween(11, 15);
  }

  @Test
  void itsOwnClockIsTheOneItWasGivenToTheMicrosecond() {
    Instant[] now = {Instant.parse("2199-12-31T23:59:59.000001999Z")};
    InstantSource clock = () -> now[0];
    InProcessLimiter limiter = new InProcessLimiter(Quota.parse("1/1ms"), Algorithm.GCRA, clock);
    assertThat(limiter.meter("key")).isInstanceOf(Conforming.class);
    now[0] = now[0].plusNanos(998_000);
    assertThat(limiter.meter("key")).isEqualTo(new NonConforming(0, 2, 2));
    now[0] = now[0].plusNanos(2_000);
    assertThat(limiter.meter("key", 1)).isInstanceOf(Conforming.class);
  }

  @Test
  void whatIsConcurrentlyForgottenIsMeteredAfresh() {
    InProcessLimiter limiter = new InProcessLimiter(Quota.parse("2/1s"), Algorithm.GCRA);
    assertThat(limiter.meter("key", new Arrival("", 2, NOW))).isInstanceOf(Conforming.class);
    for (int i = 0; i < 5_000; i++)
      limiter.meter("other-" + i, new Arrival("", 1, NOW + 1_000_000));
    assertThat(limiter.meter("key", new Arrival("", 2, NOW + 1_000_000)))
        .isEqualTo(new Conforming(0, 1_000_000));
  }
}
