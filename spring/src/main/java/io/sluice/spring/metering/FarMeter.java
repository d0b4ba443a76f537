package io.sluice.spring.metering;

import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.Optional;

/** A meter in Redis. Safe for many threads. */
interface FarMeter {
  /**
   * Meters on the thread that calls this; answers nothing if Redis does not.
   *
   * @throws UnreadableKeyException if Redis answers and cannot use a key of the request
   */
  Optional<Outcome> meter(Request request);

  /** Has a call metered that holds no thread meanwhile; by any thread, also by the caller's. */
  void meter(LateCall call);
}
