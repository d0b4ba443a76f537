package io.sluice.spring.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The threads behind futures, when the application ends. */
class BackgroundCallsTest {
  @Test
  void aCallAfterTheEndIsAnsweredByItsCaller() {
    BackgroundCalls calls = new BackgroundCalls();
    calls.close();
    assertThat(CompletableFuture.supplyAsync(Thread::currentThread, calls::execute))
        .isCompletedWithValue(Thread.currentThread());
  }

  @Test
  void tenThousandThatWaitForAThreadAreTooMany() {
    CountDownLatch held = new CountDownLatch(1);
    try (BackgroundCalls calls = new BackgroundCalls()) {
      CompletableFuture<Void> last = null;
      for (int i = 0; i < 10_016; i++) {
        assertThat(calls.areTooMany()).as("before call %d", i).isFalse();
        last = CompletableFuture.runAsync(() -> await(held), calls::execute);
      }
      assertThat(calls.areTooMany()).isTrue();
      held.countDown();
      last.join();
      assertThat(calls.areTooMany()).isFalse();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
