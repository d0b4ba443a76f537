package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A question that waits for its answer. */
final class Call {
  private final Request request;
  private final Route route;
  private final CompletableFuture<Decision> answer = new CompletableFuture<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private boolean told;

  /**
   * @param route by which it goes
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

  /** It is left to those who complete futures, or has nobody to tell. */
  void toldNow() {
    told = true;
  }

  /** By the thread that asks. */
  boolean isTold() {
    return told;
  }

  /** Whether it ends now; true once. */
  boolean ends() {
    return !ended.getAndSet(true);
  }
}
