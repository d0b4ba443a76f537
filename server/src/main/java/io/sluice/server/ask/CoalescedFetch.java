package io.sluice.server.ask;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Cached value that is fetched asynchronously, once for all callers, and kept for two seconds. A
 * failed fetch is not kept. No lock is held while fetching. Thread-safe.
 */
final class CoalescedFetch<T> {
  private static final long KEPT_MS = 2_000;

  private final InstantSource clock;
  private final Supplier<CompletableFuture<T>> fetching;
  private CompletableFuture<T> value = CompletableFuture.failedFuture(new IllegalStateException());
  private volatile long cameMs;

  CoalescedFetch(InstantSource clock, Supplier<CompletableFuture<T>> fetching) {
    this.clock = clock;
    this.fetching = fetching;
  }

  /**
   * Returns the cached value, or the fetch under way, or starts a new fetch. A fetch must complete
   * or fail by itself.
   */
  synchronized CompletableFuture<T> value() {
    if (!value.isDone() || isKept()) return value;
    value = fetching.get().whenComplete((came, failure) -> cameMs = clock.millis());
    return value;
  }

  private boolean isKept() {
    long nowMs = clock.millis();
    boolean failed = value.isCompletedExceptionally();
    return !failed && nowMs >= cameMs && nowMs < cameMs + KEPT_MS;
  }
}
