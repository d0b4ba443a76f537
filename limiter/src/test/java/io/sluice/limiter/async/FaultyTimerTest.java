package io.sluice.limiter.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Decision.Conforming;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a timer which takes no task ends only the acquisition that the task would wake. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultyTimerTest {
  private static final Duration LONG = Duration.ofHours(1);

  private enum Fault {
    REFUSES {
      @Override
      Runnable after(Timer real, long delayNanos, Runnable task) {
        throw new RejectedExecutionException("too many tasks");
      }
    },
    TAKES_IT_AND_FAILS {
      @Override
      Runnable after(Timer real, long delayNanos, Runnable task) {
        real.after(delayNanos, task);
        throw new InternalError("as a test"); // out of memory would end JUnit
      }
    },
    RETURNS_NOTHING {
      @Override
      Runnable after(Timer real, long delayNanos, Runnable task) {
        real.after(delayNanos, task);
        return null;
      }
    };

    abstract Runnable after(Timer real, long delayNanos, Runnable task);
  }

  private final HandMovedTimer time = new HandMovedTimer();
  private final LaterLimiter limiter = new LaterLimiter();
  private boolean faulty;

  private WaitingLimiter waiting(Fault fault) {
    Timer timer =
        new Timer() {
          @Override
          public long nanos() {
            return time.nanos();
          }

          @Override
          public Runnable after(long delayNanos, Runnable task) {
            return faulty ? fault.after(time, delayNanos, task) : time.after(delayNanos, task);
          }
        };
    return new WaitingLimiter(limiter, timer, Runnable::run, 10);
  }

  @AfterEach
  void nobodyIsAskedFor() {
    assertThat(limiter.questions).isEmpty();
  }

  private static void assertNothingIsLeft(WaitingLimiter waiting) {
    assertThat(waiting.keys()).isZero();
    assertThat(waiting.free()).isEqualTo(10);
  }

  private static void assertFailed(CompletableFuture<Decision> turn) {
    assertThat(turn).isCompletedExceptionally();
    assertThatThrownBy(turn::get)
        .cause()
        .isInstanceOfAny(
            RejectedExecutionException.class, InternalError.class, NullPointerException.class);
  }

  @ParameterizedTest
  @EnumSource
  void whoeverIsBehindFailsAtOnceAndIsNeverAskedFor(Fault fault) {
    WaitingLimiter waiting = waiting(fault);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    limiter.refuses(1_000);
    faulty = true;
    assertFailed(waiting.acquireAsync("k", LONG));
    assertThat(waiting.free()).isEqualTo(9);
    time.advanceMicros(1_000);
    limiter.conforms();
    assertThat(head).isCompletedWithValueMatching(Conforming.class::isInstance);
    time.advanceMicros(2 * TimeUnit.HOURS.toMicros(1));
    assertNothingIsLeft(waiting);
  }

  @ParameterizedTest
  @EnumSource
  void aHeadThatNobodyWouldWakeFailsAndThoseBehindAreServed(Fault fault) {
    WaitingLimiter waiting = waiting(fault);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> over = waiting.acquireAsync("k", Duration.ZERO);
    CompletableFuture<Decision> last = waiting.acquireAsync("k", LONG);
    time.advanceMicros(10);
    faulty = true;
    limiter.refuses(1_000);
    assertFailed(head);
    faulty = false;
    limiter.conforms();
    assertThat(over).isCompletedWithValueMatching(Conforming.class::isInstance);
    limiter.refuses(1_000);
    assertThat(last).isNotDone();
    time.advanceMicros(1_000);
    limiter.conforms();
    assertThat(last).isCompletedWithValueMatching(Conforming.class::isInstance);
    time.advanceMicros(2 * TimeUnit.HOURS.toMicros(1));
    assertNothingIsLeft(waiting);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyOutlivesThoseWhoFailed(Fault fault) {
    WaitingLimiter waiting = waiting(fault);
    faulty = true;
    for (int i = 0; i < 20; i++) {
      CompletableFuture<Decision> turn = waiting.acquireAsync("k", LONG);
      limiter.refuses(1_000);
      assertFailed(turn);
    }
    assertNothingIsLeft(waiting);
    faulty = false;
    CompletableFuture<Decision> turn = waiting.acquireAsync("k", LONG);
    limiter.refuses(1_000);
    time.advanceMicros(500); // tasks of failed waiters do not wake it
    assertThat(limiter.questions).isEmpty();
    time.advanceMicros(500);
    limiter.conforms();
    assertThat(turn).isCompletedWithValueMatching(Conforming.class::isInstance);
    time.advanceMicros(2 * TimeUnit.HOURS.toMicros(1));
    assertNothingIsLeft(waiting);
  }

  @ParameterizedTest
  @EnumSource
  void aThreadThatWaitsGetsWhatTheTimerThrew(Fault fault) {
    WaitingLimiter waiting = waiting(fault);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    faulty = true;
    assertThatThrownBy(() -> waiting.acquire("k", LONG))
        .isInstanceOfAny(
            RejectedExecutionException.class, InternalError.class, NullPointerException.class);
    limiter.conforms();
    assertThat(head).isDone();
    time.advanceMicros(2 * TimeUnit.HOURS.toMicros(1));
    assertNothingIsLeft(waiting);
  }

  /** The timer's tasks run although their waiters have ended. */
  @ParameterizedTest
  @EnumSource
  void aTaskThatCannotBeCancelledHoldsNobodyUp(Fault fault) {
    Timer timer =
        new Timer() {
          @Override
          public long nanos() {
            return time.nanos();
          }

          @Override
          public Runnable after(long delayNanos, Runnable task) {
            time.after(delayNanos, task);
            return () -> fault.after(time, delayNanos, () -> {}).run();
          }
        };
    WaitingLimiter waiting = new WaitingLimiter(limiter, timer, Runnable::run, 10);
    CompletableFuture<Decision> head = waiting.acquireAsync("k", LONG);
    limiter.refuses(1_000);
    CompletableFuture<Decision> behind = waiting.acquireAsync("k", LONG);
    CompletableFuture<Decision> last = waiting.acquireAsync("k", LONG);
    assertThat(behind.cancel(false)).isTrue();
    assertThat(head.cancel(false)).isTrue();
    limiter.conforms();
    assertThat(last).isCompletedWithValueMatching(Conforming.class::isInstance);
    time.advanceMicros(2 * TimeUnit.HOURS.toMicros(1));
    assertNothingIsLeft(waiting);
  }
}
