package io.sluice.limiter.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.RateLimiter;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a limiter on an executor fails in the same way as a limiter in Redis. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExecutedLimiterTest {
  private static final Decision CONFORMING = new Decision.Conforming(0, 1);

  private enum Call implements Function<AsyncRateLimiter, CompletionStage<Decision>> {
    OF_A_COST {
      @Override
      public CompletionStage<Decision> apply(AsyncRateLimiter limiter) {
        return limiter.meter("k", 1);
      }
    },
    OF_AN_ARRIVAL {
      @Override
      public CompletionStage<Decision> apply(AsyncRateLimiter limiter) {
        return limiter.meter("k", new Arrival("", 1, 0));
      }
    }
  }

  private Throwable failure;
  private int asked;

  private final RateLimiter limiter =
      new RateLimiter() {
        @Override
        public Decision meter(String key, Arrival arrival) {
          return meter(key, arrival.cost());
        }

        @Override
        public Decision meter(String key, long cost) {
          asked++;
          if (failure instanceof Error error) throw error;
          if (failure != null) throw (RuntimeException) failure;
          return CONFORMING;
        }
      };

  private static Throwable told(CompletionStage<Decision> stage) throws Exception {
    AtomicReference<Throwable> told = new AtomicReference<>();
    stage.handle((decision, thrown) -> told.getAndSet(thrown)).toCompletableFuture().get();
    return told.get();
  }

  @ParameterizedTest
  @EnumSource
  void aStageFailsWithWhatTheLimiterThrowsItself(Call call) throws Exception {
    for (Throwable each :
        new Throwable[] {
          new LimiterUnavailableException("gone", null), new InternalError("as a test")
        }) {
      failure = each;
      assertThat(told(call.apply(AsyncRateLimiter.of(limiter)))).isSameAs(each);
      assertThat(told(call.apply(AsyncRateLimiter.of(limiter, ForkJoinPool.commonPool()))))
          .isSameAs(each);
    }
    failure = null;
    assertThat(call.apply(AsyncRateLimiter.of(limiter)).toCompletableFuture())
        .isCompletedWithValue(CONFORMING);
  }

  @ParameterizedTest
  @EnumSource
  void aStageFailsWithTheRefusalOfTheExecutor(Call call) throws Exception {
    RejectedExecutionException full = new RejectedExecutionException("full");
    AsyncRateLimiter executed =
        AsyncRateLimiter.of(
            limiter,
            task -> {
              throw full;
            });
    assertThat(told(call.apply(executed))).isSameAs(full);
    assertThat(asked).isZero();
  }

  @Test
  void whatIsCancelledBeforeItsTurnIsNotAsked() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    AsyncRateLimiter executed = AsyncRateLimiter.of(limiter, tasks::add);
    CompletableFuture<Decision> cancelled = executed.meter("k").toCompletableFuture();
    CompletableFuture<Decision> other = executed.meter("k").toCompletableFuture();
    cancelled.cancel(false);
    tasks.forEach(Runnable::run);
    assertThat(other).isCompletedWithValue(CONFORMING);
    assertThat(asked).isEqualTo(1);
  }
}
