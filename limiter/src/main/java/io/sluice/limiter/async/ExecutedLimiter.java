package io.sluice.limiter.async;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.RateLimiter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** Asynchronous limiter that calls a synchronous limiter on the threads of an executor. */
record ExecutedLimiter(RateLimiter limiter, Executor executor) implements AsyncRateLimiter {
  @Override
  public CompletionStage<Decision> meter(String key, Arrival arrival) {
    return answer(() -> limiter.meter(key, arrival));
  }

  @Override
  public CompletionStage<Decision> meter(String key, long cost) {
    return answer(() -> limiter.meter(key, cost));
  }

  /**
   * Runs the question to the limiter on the executor. A failed stage has the limiter's own
   * exception, not wrapped in a {@code CompletionException}, so that handlers need not know the
   * implementation.
   */
  private CompletionStage<Decision> answer(Supplier<Decision> question) {
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    try {
      executor.execute(() -> complete(answer, question));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private static void complete(CompletableFuture<Decision> answer, Supplier<Decision> question) {
    if (answer.isDone()) return; // the caller has cancelled the future
    try {
      answer.complete(question.get());
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
  }
}
