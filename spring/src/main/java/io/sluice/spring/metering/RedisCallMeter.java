package io.sluice.spring.metering;

import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.Optional;

/** Meter in Redis. Thread-safe. */
interface RedisCallMeter {
  /**
   * Meters on the calling thread; empty if Redis does not answer.
   *
   * @throws UnreadableKeyException if Redis answers, but cannot use a key of the request
   */
  Optional<Outcome> meter(Request request);

  /** Meters a call asynchronously. Any thread may complete it, also the calling one. */
  void meter(LateCall call);
}
