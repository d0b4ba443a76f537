package io.sluice.server.change;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fair lock with a bound on the number of waiting threads and on their waiting time, since waiting
 * threads are not free for other requests. Thread-safe.
 */
public final class FairLock {
  private static final long MOST_WAIT_SECONDS = 20;

  private final Semaphore turn = new Semaphore(1, true);
  private final AtomicInteger asking = new AtomicInteger();
  private final int most;

  /**
   * Creates a free lock.
   *
   * @param mostWaiting number of threads that may wait while another has the lock
   */
  public FairLock(int mostWaiting) {
    most = mostWaiting + 1;
  }

  /**
   * Waits for the lock, up to 20 s; returns false if it is not free by then or if too many threads
   * wait. If it returns true, the caller must call {@link #end}.
   */
  public boolean begin() throws InterruptedException {
    boolean came = false;
    try {
      came =
          asking.incrementAndGet() <= most && turn.tryAcquire(MOST_WAIT_SECONDS, TimeUnit.SECONDS);
      return came;
    } finally {
      if (!came) asking.decrementAndGet();
    }
  }

  public void end() {
    asking.decrementAndGet();
    turn.release();
  }
}
