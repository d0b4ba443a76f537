package io.sluice.limiter.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Decision.Blocked;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.InProcessLimiter;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RateLimiter;
import io.sluice.limiter.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests waiting with a clock that is moved by hand, over limiters in process, which answer at once.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitingLimiterTest {
  private static final int MOST = 20_000;
  private static final Duration LONG = Duration.ofHours(1);

  private final HandMovedTimer time = new HandMovedTimer();
  private WaitingLimiter waiting = limiting("10/1s", 1);

  private WaitingLimiter limiting(String quota, long burst) {
    return over(new InProcessLimiter(Quota.parse(quota).withBurst(burst), Algorithm.GCRA, time));
  }

  private WaitingLimiter over(RateLimiter limiter) {
    return new WaitingLimiter(AsyncRateLimiter.of(limiter), time, Runnable::run, MOST);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(waiting.keys()).isZero();
    assertThat(waiting.free()).isEqualTo(MOST);
    assertThat(time.size()).isZero();
  }

  @Test
  void thoseWhoWaitAreServedInOrderAtExactlyTheEmissionInterval() {
    List<CompletableFuture<Decision>> turns =
        IntStream.range(0, 50).mapToObj(i -> waiting.acquireAsync("k", LONG)).toList();
    for (int i = 0; i < turns.size(); i++) {
      if (i > 0) {
        time.advanceMicros(99_999);
        assertThat(turns.get(i)).as("turn %d", i).isNotDone();
        time.advanceMicros(1);
      }
      assertThat(turns.get(i)).as("turn %d", i).isCompleted();
      assertThat(turns.get(i).join()).isInstanceOf(Conforming.class);
    }
  }

  @Test
  void oneThatIsCompletedLaterByAnotherLeavesTheLine() {
    Decision own = new Conforming(7, 0);
    waiting = limiting("10/1s", 10);
    waiting.acquireAsync("k", 10, LONG);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", 10, LONG);
    CompletableFuture<Decision> next = waiting.acquireAsync("k", LONG);
    List<Runnable> tasks = new ArrayList<>();
    assertThat(head.completeAsync(() -> own, tasks::add)).isSameAs(head).isNotDone();
    tasks.remove(0).run();
    assertThat(head.join()).isSameAs(own);
    time.advanceMicros(100_000);
    assertThat(next.join()).isInstanceOf(Conforming.class);
    CompletableFuture<Decision> failing = waiting.acquireAsync("k", LONG);
    failing.completeAsync(
        () -> {
          throw new IllegalStateException("no decision");
        },
        Runnable::run);
    assertThat(failing).isCompletedExceptionally();
  }

  @Test
  void aLargeRequestIsNotOvertakenBySmallOnesNorByAnotherKey() {
    waiting = limiting("10/1s", 10);
    waiting.acquireAsync("k", 5, LONG);
    CompletableFuture<Decision> large = waiting.acquireAsync("k", 10, LONG);
    CompletableFuture<Decision> small = waiting.acquireAsync("k", LONG);
    assertThat(waiting.acquireAsync("other", 10, LONG)).isCompleted();
    time.advanceMicros(499_999);
    assertThat(large).isNotDone();
    time.advanceMicros(1);
    assertThat(large).isCompleted();
    assertThat(small).isNotDone();
    time.advanceMicros(100_000);
    assertThat(small).isCompleted();
  }

  @Test
  void aWaitThatIsTooLongIsRefusedAtOnceAndOneThatJustFitsIsNot() {
    waiting.acquireAsync("k", LONG);
    assertThat(waiting.acquireAsync("k", Duration.ofNanos(99_999_000)))
        .isCompletedWithValue(new NonConforming(0, 100_000, 100_000));
    CompletableFuture<Decision> fits = waiting.acquireAsync("k", Duration.ofMillis(100));
    assertThat(fits).isNotDone();
    time.advanceMicros(100_000);
    assertThat(fits.join()).isInstanceOf(Conforming.class);
  }

  @Test
  void whoeverIsBehindAWaitThatIsTooLongIsRefusedAtOnce() {
    waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    time.advanceMicros(40_000);
    assertThat(waiting.acquireAsync("k", Duration.ofMillis(59)))
        .isCompletedWithValue(new NonConforming(0, 60_000, 60_000));
    assertThat(head.cancel(false)).isTrue();
  }

  @Test
  void whoeverIsBehindIsRefusedAtTheLatestWhenItsTimeIsOver() {
    waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> behind = waiting.acquireAsync("k", Duration.ofMillis(150));
    CompletableFuture<Decision> last = waiting.acquireAsync("k", Duration.ofMillis(200));
    time.advanceMicros(100_000);
    assertThat(head.join()).isInstanceOf(Conforming.class);
    assertThat(behind).isCompletedWithValue(new NonConforming(0, 100_000, 100_000));
    assertThat(last).isNotDone();
    time.advanceMicros(100_000);
    assertThat(last.join()).isInstanceOf(Conforming.class);
  }

  @Test
  void whoeverIsBehindALongWaitIsRefusedWhenItsOwnTimeIsOver() {
    waiting = limiting("10/1s", 10);
    waiting.acquireAsync("k", 10, LONG);
    CompletableFuture<Decision> small = waiting.acquireAsync("k", 1, LONG);
    CompletableFuture<Decision> large = waiting.acquireAsync("k", 10, LONG);
    CompletableFuture<Decision> behind = waiting.acquireAsync("k", 1, Duration.ofMillis(300));
    time.advanceMicros(299_999);
    assertThat(small).isCompleted();
    assertThat(behind).isNotDone();
    time.advanceMicros(1);
    assertThat(behind).isCompletedWithValue(new NonConforming(0, 800_000, 800_000));
    time.advanceMicros(800_000);
    assertThat(large.join()).isInstanceOf(Conforming.class);
  }

  @Test
  void aPermitIsNotLostWhenAFutureIsCancelled() {
    waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> middle = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> last = waiting.acquireAsync("k", LONG);
    assertThat(middle.cancel(false)).isTrue();
    assertThat(head.cancel(false)).isTrue();
    time.advanceMicros(100_000);
    assertThat(last.join()).isInstanceOf(Conforming.class);
    assertThat(head).isCancelled();
    assertThat(middle).isCancelled();
    assertThat(last.cancel(false)).isFalse();
  }

  @Test
  void theNextOneIsAskedForAtOnceWhenALargeHeadIsCancelled() {
    waiting = limiting("10/1s", 10);
    waiting.acquireAsync("k", 5, LONG);
    CompletableFuture<Decision> large = waiting.acquireAsync("k", 10, LONG);
    CompletableFuture<Decision> small = waiting.acquireAsync("k", 5, LONG);
    assertThat(small).isNotDone();
    large.cancel(false);
    assertThat(small.join()).isInstanceOf(Conforming.class);
  }

  @Test
  void whatNeverFitsIsRefusedAtOnce() {
    assertThat(waiting.acquireAsync("k", 2, LONG).join()).isInstanceOf(Oversized.class);
    assertThat(waiting.acquireAsync("k", LONG).join()).isInstanceOf(Conforming.class);
  }

  @Test
  void aBlockIsWaitedForIfItEndsInTime() {
    Rule rule = Rule.policing("login", Quota.parse("1/1s"), Algorithm.GCRA).blocking(60_000_000);
    waiting = over(new InProcessLimiter(rule, time));
    waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> blocker = waiting.acquireAsync("k", Duration.ofSeconds(59));
    assertThat(blocker).isCompletedWithValue(new NonConforming(0, 60_000_000, 60_000_000));
    time.advanceMicros(10_000_000);
    assertThat(waiting.acquireAsync("k", Duration.ofSeconds(49)))
        .isCompletedWithValue(new Blocked(50_000_000, 50_000_000));
    CompletableFuture<Decision> patient = waiting.acquireAsync("k", Duration.ofSeconds(50));
    assertThat(waiting.acquireAsync("k", Duration.ZERO))
        .isCompletedWithValue(new Blocked(50_000_000, 50_000_000));
    time.advanceMicros(50_000_000);
    assertThat(patient.join()).isInstanceOf(Conforming.class);
  }

  @Test
  void aLineMayBeLongerThanAStackIsDeep() {
    InProcessLimiter real = new InProcessLimiter(Quota.parse("1000/1s"), Algorithm.GCRA, time);
    List<Long> depths = new ArrayList<>();
    waiting =
        over(
            new Asked(real) {
              @Override
              void asked(long cost) {
                depths.add(StackWalker.getInstance().walk(Stream::count));
              }
            });
    waiting.acquireAsync("k", 1_000, LONG);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", 1_000, LONG);
    List<CompletableFuture<Decision>> behind =
        IntStream.range(0, 999).mapToObj(i -> waiting.acquireAsync("k", LONG)).toList();
    time.advanceMicros(999_999);
    head.cancel(false);
    assertThat(behind).allMatch(CompletableFuture::isDone);
    assertThat(Collections.max(depths)).isLessThan(Collections.min(depths) + 50);
  }

  /** Limiter that reports each call. */
  private abstract static class Asked implements RateLimiter {
    private final RateLimiter real;

    Asked(RateLimiter real) {
      this.real = real;
    }

    abstract void asked(long cost);

    @Override
    public Decision meter(String key, Arrival arrival) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Decision meter(String key, long cost) {
      asked(cost);
      return real.meter(key, cost);
    }
  }

  @Test
  void noMoreMayWaitThanItHasPlacesFor() {
    waiting = limiting("10/1s", 1);
    waiting.acquireAsync("k", LONG);
    List<CompletableFuture<Decision>> turns =
        IntStream.range(0, MOST).mapToObj(i -> waiting.acquireAsync("k", LONG)).toList();
    assertThatThrownBy(waiting.acquireAsync("other", LONG)::get)
        .hasRootCauseInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining(MOST + " callers already wait");
    turns.get(MOST - 1).cancel(false);
    assertThat(waiting.acquireAsync("other", LONG)).isCompleted();
    turns.forEach(each -> each.cancel(false));
  }

  @Test
  void whoeverWaitsIsRefusedWhenItIsClosed() {
    waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> behind = waiting.acquireAsync("k", LONG);
    waiting.close();
    for (CompletableFuture<Decision> each :
        List.of(head, behind, waiting.acquireAsync("other", LONG))) {
      assertThatThrownBy(each::get).hasRootCauseInstanceOf(RejectedExecutionException.class);
    }
  }

  @Test
  void aFailureEndsTheOneWhoWasAskedForAndTheNextIsAskedForAnew() {
    List<Long> asked = new ArrayList<>();
    InProcessLimiter real =
        new InProcessLimiter(Quota.parse("10/1s").withBurst(10), Algorithm.GCRA, time);
    LimiterUnavailableException gone = new LimiterUnavailableException("gone", null);
    waiting =
        over(
            new Asked(real) {
              @Override
              void asked(long cost) {
                asked.add(cost);
                if (cost == 3) throw gone;
              }
            });
    waiting.acquireAsync("k", 10, LONG);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", 2, LONG);
    CompletableFuture<Decision> failing = waiting.acquireAsync("k", 3, LONG);
    CompletableFuture<Decision> last = waiting.acquireAsync("k", 4, LONG);
    time.advanceMicros(600_000);
    assertThat(head.join()).isInstanceOf(Conforming.class);
    assertThatThrownBy(failing::get).hasCause(gone);
    assertThat(last.join()).isInstanceOf(Conforming.class);
    assertThat(asked).containsExactly(10L, 2L, 2L, 3L, 4L, 4L);
  }

  @Test
  void aThreadThatIsInterruptedLeavesTheLine() throws Exception {
    waiting.acquire("k", LONG);
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                waiting.acquire("k", LONG);
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    thread.start();
    while (waiting.free() == MOST) Thread.onSpinWait();
    CompletableFuture<Decision> behind = waiting.acquireAsync("k", LONG);
    thread.interrupt();
    assertThat(interrupted.await(1, TimeUnit.MINUTES)).isTrue();
    time.advanceMicros(100_000);
    assertThat(behind.join()).isInstanceOf(Conforming.class);
  }

  @Test
  void aThreadIsGivenItsPermitsWhenTheyAreThere() throws Exception {
    assertThat(waiting.acquire("k", 1, LONG)).isInstanceOf(Conforming.class);
    assertThat(waiting.acquire("k", 1, Duration.ZERO)).isInstanceOf(NonConforming.class);
    CompletableFuture<Decision> later =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return waiting.acquire("k", LONG);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    while (waiting.free() == MOST) Thread.onSpinWait();
    time.advanceMicros(100_000);
    assertThat(later.get(1, TimeUnit.MINUTES)).isInstanceOf(Conforming.class);
  }

  @Test
  void whatIsNoCostAndNoWaitIsRefused() {
    assertThatThrownBy(() -> waiting.acquireAsync("k", -1, LONG)).hasMessageContaining("-1");
    assertThatThrownBy(() -> waiting.acquireAsync("k", Duration.ofMillis(-1)))
        .hasMessageContaining("PT-0.001S");
    assertThat(waiting.acquireAsync("k", Duration.ofSeconds(Long.MAX_VALUE))).isCompleted();
  }
}
