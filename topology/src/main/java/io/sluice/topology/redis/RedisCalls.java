package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.Iterator;

/** Calls to Redis that meter events. Safe for many threads. */
interface RedisCalls {
  /**
   * Meters events in their order.
   *
   * @param outcomes receives the outcome of each request, by its index
   * @return the number of round trips to Redis
   * @throws LimiterUnavailableException if Redis does not answer
   */
  int meter(Iterator<Request> requests, Outcomes outcomes);

  /** Returns the hash slot and the Redis server of a request, without a call to Redis. */
  Route routeOf(Request request);

  /**
   * Checks whether Redis answers.
   *
   * @throws LimiterUnavailableException if Redis does not answer
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
