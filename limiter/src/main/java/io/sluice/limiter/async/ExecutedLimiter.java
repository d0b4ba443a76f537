package io.sluice.limiter.async;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.RateLimiter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** A limiter that is asked by the threads of an executor. */
record ExecutedLimiter(RateLimiter limiter, Executor executor) implements AsyncRateLimiter {
  @Override
  public CompletionStage<Decision> meter(String key, Arrival arrival) {
    return answer(() -> limiter.meter(key, arrival));
  }

  @Override
  public CompletionStage<Decision> meter(String key, long cost) {
    return answer(() -> limiter.meter(key, cost));
  }

  private CompletionStage<Decision> answer(Supplier<Decision> question) {
    try {
      return CompletableFuture.supplyAsync(question, executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
