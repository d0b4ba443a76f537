package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.Iterator;

/** The calls of Redis that metering makes. Safe for many threads. */
interface RedisCalls {
  /**
   * Meters events in their order.
   *
   * @return how many round trips it took
   * @throws LimiterUnavailableException if Redis does not answer
   */
  int meter(Iterator<Request> requests, Outcomes outcomes);

  /** The way of a request, found without asking anybody. */
  Route routeOf(Request request);

  /**
   * Finds out whether Redis answers.
   *
   * @throws LimiterUnavailableException if it does not
   */
  void probe();

  static RedisCalls of(RedisMeter meter) {
    return new RedisCalls() {
      @Override
      public int meter(Iterator<Request> requests, Outcomes outcomes) {
        return meter.meter(requests, outcomes);
      }

      @Override
      public Route routeOf(Request request) {
        return meter.routeOf(request);
      }

      @Override
      public void probe() {
        meter.probe();
      }
    };
  }
}
