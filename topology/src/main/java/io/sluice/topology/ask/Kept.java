package io.sluice.topology.ask;

import java.time.InstantSource;
import java.util.function.LongFunction;

/**
 * A value for many who ask, which takes a second or so among a hundred thousand revisions. It is
 * made anew after a rest that is as much longer as it took, so that whoever asks all the time has
 * little of a processor. Safe for many threads.
 */
final class Kept<T> {
  private static final int REST_PER_WORK = 20;

  private final InstantSource clock;
  private final LongFunction<T> making;
  private T value;
  private long madeMs;
  private long restMs;

  /**
   * @param making of the value as it is at an instant
   */
  Kept(InstantSource clock, LongFunction<T> making) {
    this.clock = clock;
    this.making = making;
  }

  synchronized T value() {
    long nowMs = clock.millis();
    boolean rests = value != null && nowMs >= madeMs && nowMs < madeMs + restMs;
    if (rests) return value;
    value = making.apply(nowMs);
    madeMs = clock.millis();
    restMs = REST_PER_WORK * (madeMs - nowMs);
    return value;
  }
}
