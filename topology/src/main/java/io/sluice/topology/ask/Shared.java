package io.sluice.topology.ask;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A value for many who ask, which takes a while to come from elsewhere. It is fetched for all of
 * them at once, and kept for two seconds. Nothing is locked while it comes. Safe for many threads.
 */
final class Shared<T> {
  private static final long KEPT_MS = 2_000;

  private final InstantSource clock;
  private final Supplier<CompletableFuture<T>> fetching;
  private CompletableFuture<T> value = CompletableFuture.failedFuture(new IllegalStateException());
  private volatile long cameMs;

  Shared(InstantSource clock, Supplier<CompletableFuture<T>> fetching) {
    this.clock = clock;
    this.fetching = fetching;
  }

  /** What came lately, or what comes next; it must come, or fail, in its time. */
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
