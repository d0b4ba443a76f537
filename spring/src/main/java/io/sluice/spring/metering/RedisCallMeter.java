package io.sluice.spring.metering;

import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.Optional;

/** Meters method calls against limits in Redis. Thread-safe. */
interface RedisCallMeter {
  /**
   * Meters a request and blocks the calling thread until Redis answers; empty if Redis does not
   * answer.
   *
   * @throws UnreadableKeyException if Redis answers, but cannot use a key of the request
   */
  Optional<Outcome> meter(Request request);

  /** Meters a call asynchronously. Any thread may complete the call, also the calling thread. */
  void meter(LateCall call);
}
