package io.sluice.topology.watch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Sequence lock with one writer and many readers; neither waits for the other. The writer makes the
 * count odd, changes the data, and makes the count even. A reader reads again if the count was odd
 * or has changed meanwhile, and then also ignores any exception that it met.
 */
public final class SequenceLock {
  /*
   * The fences forbid reordering by compilers and some processors; on x86 none of them is an
   * instruction. So the writer pays two writes to a cache line that it owns, and a reader two reads
   * of it. A change takes less than a microsecond, or as long as a table of millions of rows takes
   * to grow. A change never ends if the writer's thread was killed in it; its store is then closed
   * soon.
   */
  private static final int SPINS = 1_000;

  private static final int MOST_TRIES = 50_000;
  private static final long PARK_NANOS = 100_000;
  private static final VarHandle COUNT = count();

  private long count;

  private static VarHandle count() {
    try {
      return MethodHandles.lookup().findVarHandle(SequenceLock.class, "count", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Begins a change. Only the writer may call it, and must call {@link #end} even after an
   * exception.
   */
  public void begin() {
    COUNT.setOpaque(this, count + 1);
    VarHandle.storeStoreFence();
  }

  public void end() {
    COUNT.setRelease(this, count + 1);
  }

  /**
   * Returns the count as soon as it is even, to be called before reading.
   *
   * @param tries number of failed reads before this one
   * @throws IllegalStateException if a change does not end for seconds
   */
  public long settled(int tries) {
    for (int waits = tries; waits < MOST_TRIES; waits++) {
      if (waits > SPINS) LockSupport.parkNanos(PARK_NANOS);
      else if (waits > 0) Thread.onSpinWait();
      long seen = (long) COUNT.getAcquire(this);
      if ((seen & 1) == 0) return seen;
    }
    throw new IllegalStateException("the store is being changed, and that does not end");
  }

  /**
   * Returns a copy of the data that did not change while it was made. If a change does not end, its
   * thread is dead, and the copy is made of the data as it is.
   *
   * @param copying must end, with a value or an exception, even if the data is inconsistent
   */
  <T> T whole(Supplier<T> copying) {
    try {
      for (int tries = 0; ; tries++) {
        long seen = settled(tries);
        T copy = copying.get();
        if (isStill(seen)) return copy;
      }
    } catch (IllegalStateException e) {
      return copying.get();
    }
  }

  /** Whether nothing has changed since the count was read, to be called after reading. */
  public boolean isStill(long seen) {
    VarHandle.loadLoadFence();
    return (long) COUNT.getOpaque(this) == seen;
  }
}
