package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Metering request to Redis, with its route and the future of its decision. */
final class Call {
  private final Request request;
  private final Route route;
  private final CompletableFuture<Decision> answer = new CompletableFuture<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private boolean told;

  /**
   * @param route the place (hash slot) and the server of the request's key
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
   * cancelled. For the thread that sends calls to Redis only.
   */
  void toldNow() {
    told = true;
  }

  /**
   * Whether the answer was passed on to the callbacks, or is not needed. For the thread that sends
   * calls to Redis only.
   */
  boolean isTold() {
    return told;
  }

  /**
   * Marks the call as ended; returns true the first time only, so that the call is released once.
   */
  boolean ends() {
    return !ended.getAndSet(true);
  }
}
