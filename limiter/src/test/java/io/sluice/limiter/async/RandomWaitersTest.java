package io.sluice.limiter.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.InProcessLimiter;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Makes random requests, cancellations and steps of time, and checks the invariants after each. */
class RandomWaitersTest {
  private static final int STEPS = 600;
  private static final int KEYS = 3;
  private static final int BURST = 5;

  private final HandMovedTimer time = new HandMovedTimer();
  private final List<Turn> turns = new ArrayList<>();
  private final List<Turn> served = new ArrayList<>();
  private long charged;

  private record Turn(
      String key, long cost, long deadlineNanos, CompletableFuture<Decision> future) {
    boolean conforms() {
      return future.isDone() && !future.isCancelled() && future.join() instanceof Conforming;
    }
  }

  private final class Counting implements RateLimiter {
    private final RateLimiter real;

    private Counting(RateLimiter real) {
      this.real = real;
    }

    @Override
    public Decision meter(String key, Arrival arrival) {
      return real.meter(key, arrival);
    }

    @Override
    public Decision meter(String key, long cost) {
      Decision decision = real.meter(key, cost);
      if (decision instanceof Conforming) charged += cost;
      return decision;
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 40);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatIsChargedIsServedInOrderAndInTimeAndNobodyWaitsForNothing(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Algorithm algorithm = seed % 2 == 0 ? Algorithm.GCRA : Algorithm.SLIDING_WINDOW_LOG;
    Quota quota = Quota.parse("5/1s").withBurst(BURST);
    InProcessLimiter real = new InProcessLimiter(quota, algorithm, time);
    WaitingLimiter waiting =
        new WaitingLimiter(AsyncRateLimiter.of(new Counting(real)), time, Runnable::run, 10_000);
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(4)) {
        case 0, 1 -> request(waiting, random);
        case 2 -> time.advanceMicros(random.nextLong(400_000));
        default -> cancelOne(random);
      }
      check(real, "%s, seed %d, step %d".formatted(algorithm, seed, step));
    }
    time.advanceMicros(Duration.ofHours(1).toMillis() * 1_000);
    check(real, "at the end of seed " + seed);
    assertThat(turns).allMatch(each -> each.future.isDone());
    assertThat(waiting.keys()).isZero();
    assertThat(waiting.free()).isEqualTo(10_000);
    assertThat(time.size()).isZero();
  }

  private void request(WaitingLimiter waiting, SplittableRandom random) {
    String key = "k" + random.nextInt(KEYS);
    long cost = 1 + random.nextInt(random.nextInt(4) == 0 ? BURST + 1 : 1);
    Duration atMost = Duration.ofMillis(random.nextLong(3) * random.nextLong(3_000));
    long deadline = time.nanos() + atMost.toNanos();
    Turn turn = new Turn(key, cost, deadline, waiting.acquireAsync(key, cost, atMost));
    turns.add(turn);
    turn.future.whenComplete(
        (decision, failure) -> {
          if (decision instanceof Conforming) served.add(turn);
        });
  }

  private void cancelOne(SplittableRandom random) {
    List<Turn> undone = turns.stream().filter(each -> !each.future.isDone()).toList();
    if (!undone.isEmpty()) undone.get(random.nextInt(undone.size())).future.cancel(false);
  }

  private void check(RateLimiter real, String when) {
    assertThat(turns.stream().filter(Turn::conforms).mapToLong(Turn::cost).sum())
        .as("charged, %s", when)
        .isEqualTo(charged);
    for (int i = 0; i < KEYS; i++) {
      String key = "k" + i;
      List<Turn> inOrder =
          turns.stream().filter(each -> each.key.equals(key) && each.conforms()).toList();
      assertThat(served.stream().filter(each -> each.key.equals(key)).toList())
          .as("order of %s, %s", key, when)
          .isEqualTo(inOrder);
      turns.stream()
          .filter(each -> each.key.equals(key) && !each.future.isDone())
          .findFirst()
          .ifPresent(
              head ->
                  assertThat(real.meter(key, 0).remaining())
                      .as("remaining for %s, %s", head, when)
                      .isLessThan(head.cost));
    }
    assertThat(turns.stream().filter(each -> !each.future.isDone()))
        .as("in time, %s", when)
        .allMatch(each -> each.deadlineNanos - time.nanos() > 0);
  }
}
