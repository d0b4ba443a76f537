package io.sluice.topology.change;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Turns of which there is one at a time, in the order in which they are asked for. Few wait, and
 * not for long: they keep threads from others. For many threads.
 */
final class Turns {
  private static final long MOST_WAIT_SECONDS = 20;

  private final Semaphore turn = new Semaphore(1, true);
  private final AtomicInteger asking = new AtomicInteger();
  private final int most;

  /**
   * @param mostWaiting how many may wait while one has its turn
   */
  Turns(int mostWaiting) {
    most = mostWaiting + 1;
  }

  /** Waits for a turn, and tells whether it came; then it must be {@link #end ended}. */
  boolean begin() throws InterruptedException {
    boolean came = false;
    try {
      came =
          asking.incrementAndGet() <= most && turn.tryAcquire(MOST_WAIT_SECONDS, TimeUnit.SECONDS);
      return came;
    } finally {
      if (!came) asking.decrementAndGet();
    }
  }

  void end() {
    asking.decrementAndGet();
    turn.release();
  }
}
