package io.sluice.limiter.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that callbacks run once, regardless of their executor. */
class CallbacksTest {
  private enum Faulty implements Executor {
    REFUSES {
      @Override
      public void execute(Runnable task) {
        throw new RejectedExecutionException("full");
      }
    },
    HAS_NO_THREAD {
      @Override
      public void execute(Runnable task) {
        throw new OutOfMemoryError("unable to create native thread");
      }
    },
    TAKES_IT_AND_FAILS {
      @Override
      public void execute(Runnable task) {
        task.run();
        throw new OutOfMemoryError("unable to create native thread");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachRunsOnce(Faulty executor) {
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger after = new AtomicInteger();
    Callbacks callbacks = new Callbacks(executor);
    callbacks.run(runs::incrementAndGet);
    await().untilAsserted(() -> assertThat(runs).hasValue(1));
    for (int i = 0; i < 100; i++) Callbacks.COMMON.execute(after::incrementAndGet);
    await().untilAsserted(() -> assertThat(after).hasValue(100));
    assertThat(runs).hasValue(1);
  }
}
