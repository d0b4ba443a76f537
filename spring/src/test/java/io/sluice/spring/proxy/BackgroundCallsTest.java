package io.sluice.spring.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
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
}
