package io.sluice.limiter.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.InProcessLimiter;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Quota;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests waiters while the limiter has not answered yet. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowAnswersTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final HandMovedTimer time = new HandMovedTimer();
  private final LaterLimiter limiter = new LaterLimiter();
  private final WaitingLimiter waiting = new WaitingLimiter(limiter, time, Runnable::run, 10);

  @AfterEach
  void nothingIsLeft() {
    assertThat(limiter.questions).isEmpty();
    assertThat(waiting.keys()).isZero();
    assertThat(waiting.free()).isEqualTo(10);
    assertThat(time.size()).isZero();
  }

  @Test
  void aFutureIsNotCancelledIfItsPermitsAreBeingCharged() {
    CompletableFuture<Decision> turn = waiting.acquireAsync("k", LONG);
    assertThat(turn.cancel(false)).isFalse();
    assertThat(turn).isNotDone();
    limiter.conforms();
    assertThat(turn.join()).isInstanceOf(Conforming.class);
  }

  @Test
  void aFutureIsCancelledLateIfItIsRefused() {
    CompletableFuture<Decision> turn = waiting.acquireAsync("k", LONG);
    turn.cancel(false);
    limiter.refuses(1_000);
    assertThat(turn).isCancelled();
  }

  @Test
  void onlyTheHeadIsAskedForAndACancelledOneBehindItNever() {
    CompletableFuture<Decision> head = waiting.acquireAsync("k", 1, LONG);
    CompletableFuture<Decision> gone = waiting.acquireAsync("k", 2, LONG);
    CompletableFuture<Decision> last = waiting.acquireAsync("k", 3, LONG);
    assertThat(limiter.questions).hasSize(1);
    assertThat(gone.cancel(false)).isTrue();
    limiter.conforms();
    assertThat(head).isDone();
    assertThat(limiter.questions).singleElement().matches(each -> each.cost() == 3);
    limiter.conforms();
    assertThat(last).isDone();
  }

  @Test
  void whoeverDoesNotWaitIsStillAskedForWhenThoseAheadHaveBeen() {
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> behind = waiting.acquireAsync("k", Duration.ZERO);
    time.advanceMicros(50);
    assertThat(behind).isNotDone();
    limiter.conforms();
    limiter.conforms();
    assertThat(head).isDone();
    assertThat(behind.join()).isInstanceOf(Conforming.class);
  }

  @Test
  void whoeverDoesNotWaitIsRefusedWithTheHead() {
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> behind = waiting.acquireAsync("k", Duration.ZERO);
    time.advanceMicros(50);
    limiter.refuses(1_000);
    assertThat(behind).isCompletedWithValue(new NonConforming(0, 950, 1_950));
    assertThat(head).isNotDone();
    time.advanceMicros(950);
    limiter.conforms();
    assertThat(head).isDone();
  }

  @Test
  void aFailureEndsThoseWhoseTimeIsOverToo() {
    LimiterUnavailableException failure = new LimiterUnavailableException("gone", null);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> over = waiting.acquireAsync("k", Duration.ofMillis(1));
    CompletableFuture<Decision> patient = waiting.acquireAsync("k", LONG);
    time.advanceMicros(100_000);
    limiter.fails(failure);
    assertThatThrownBy(head::get).hasCause(failure);
    assertThatThrownBy(over::get).hasCause(failure);
    limiter.conforms();
    assertThat(patient.join()).isInstanceOf(Conforming.class);
  }

  @Test
  void anErrorOfTheLimiterEndsNobodyButTheOneItIsAskedFor() {
    AsyncRateLimiter broken =
        AsyncRateLimiter.of(
            new InProcessLimiter(Quota.parse("1/1s"), Algorithm.GCRA),
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    try (WaitingLimiter failing = new WaitingLimiter(broken, time, Runnable::run, 1)) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(failing.acquireAsync("k", LONG)::get)
            .hasCauseInstanceOf(OutOfMemoryError.class);
      }
      assertThat(failing.keys()).isZero();
    }
  }

  @Test
  void whoeverIsRefusedWhereItShouldConformIsAskedForLessAndLessOften() {
    CompletableFuture<Decision> turn = waiting.acquireAsync("k", Duration.ofSeconds(1));
    int asked = 0;
    for (; !turn.isDone(); time.advanceMicros(500)) {
      for (; !limiter.questions.isEmpty(); asked++) limiter.refuses(1);
    }
    assertThat(asked).isBetween(15, 25);
    assertThat(turn.join()).isInstanceOf(NonConforming.class);
  }

  @Test
  void whoeverIsBeingAskedForWhenItIsClosedKeepsWhatItIsCharged() {
    CompletableFuture<Decision> charged = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> behind = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> refused = waiting.acquireAsync("other", LONG);
    waiting.close();
    assertThatThrownBy(behind::get).hasRootCauseInstanceOf(RejectedExecutionException.class);
    limiter.conforms();
    limiter.refuses(1_000);
    assertThat(charged.join()).isInstanceOf(Conforming.class);
    assertThatThrownBy(refused::get).hasRootCauseInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void aThreadThatIsInterruptedWhileItIsChargedKeepsItsPermits() throws Exception {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                Decision decision = waiting.acquire("k", LONG);
                result.complete(decision instanceof Conforming && Thread.interrupted());
              } catch (InterruptedException e) {
                result.complete(false);
              }
            });
    thread.start();
    while (thread.getState() != Thread.State.WAITING) Thread.onSpinWait();
    thread.interrupt();
    while (thread.isInterrupted()) Thread.onSpinWait();
    while (thread.getState() != Thread.State.WAITING) Thread.onSpinWait();
    limiter.conforms();
    assertThat(result.get()).isTrue();
  }
}
