package io.sluice.topology.ask;

import java.time.InstantSource;
import java.util.function.LongFunction;

/**
 * A text for many who ask, which takes a second or so among a hundred thousand revisions. It is
 * made anew after a rest that is as much longer as it took, so that whoever asks all the time has
 * little of a processor. Safe for many threads.
 */
final class Kept {
  private static final int REST_PER_WORK = 20;

  private final InstantSource clock;
  private final LongFunction<String> making;
  private String text;
  private long madeMs;
  private long restMs;

  /**
   * @param making of the text as it is at an instant
   */
  Kept(InstantSource clock, LongFunction<String> making) {
    this.clock = clock;
    this.making = making;
  }

  synchronized String text() {
    long nowMs = clock.millis();
    boolean rests = text != null && nowMs >= madeMs && nowMs < madeMs + restMs;
    if (rests) return text;
    text = making.apply(nowMs);
    madeMs = clock.millis();
    restMs = REST_PER_WORK * (madeMs - nowMs);
    return text;
  }
}
