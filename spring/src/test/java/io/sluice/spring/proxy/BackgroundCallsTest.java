package io.sluice.spring.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Background threads at the end of the application, and at their capacity. */
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
        assertThat(calls.take()).as("before call %d", i).isTrue();
        last = CompletableFuture.runAsync(() -> await(held), calls::execute);
      }
      assertThat(calls.take()).isFalse();
      held.countDown();
      last.join();
      assertThat(calls.take()).isTrue();
    }
  }

  @Test
  void whatOneOfThemCallsDoesNotWaitForTheOthers() {
    try (BackgroundCalls calls = new BackgroundCalls()) {
      assertThat(CompletableFuture.supplyAsync(calls::take, calls::execute).join()).isFalse();
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
