package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Metering request that waits for its answer. */
final class Call {
  private final Request request;
  private final Route route;
  private final CompletableFuture<Decision> answer = new CompletableFuture<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private boolean told;

  /**
   * @param route the place and server of its key
   */
  Call(Request request, Route route) {
    this.request = request;
    this.route = route;
  }

  Request request() {
    return request;
  }

  Route route() {
    return route;
  }

  CompletableFuture<Decision> answer() {
    return answer;
  }

  /**
   * Marks the answer as passed on to the callbacks, or as not needed because the call was
   * cancelled.
   */
  void toldNow() {
    told = true;
  }

  /** Whether the answer was passed on. For the asking thread only. */
  boolean isTold() {
    return told;
  }

  /** Marks the call as ended; returns true the first time only. */
  boolean ends() {
    return !ended.getAndSet(true);
  }
}
