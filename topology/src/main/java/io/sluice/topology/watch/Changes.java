package io.sluice.topology.watch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The count of changes by which threads read what one thread changes, without either waiting for
 * the other: a sequence lock. The thread that changes makes the count odd, changes, and makes it
 * even. Who has read while it was odd, or has become another one, reads again; whatever was met
 * meanwhile, an exception too, means nothing.
 */
public final class Changes {
  /*
   * The fences forbid what compilers and some processors would do; on x86 none of them is an
   * instruction. So the thread that changes pays two writes to a line of memory that it has, and
   * who reads two reads of it.
   *
   * A change takes less than a microsecond, or as long as a table of millions takes to grow. One
   * that never ends is that of a thread that was killed in it, whose store is gone soon.
   */
  private static final int SPINS = 1_000;

  private static final int MOST_TRIES = 50_000;
  private static final long PARK_NANOS = 100_000;
  private static final VarHandle COUNT = count();

  private long count;

  private static VarHandle count() {
    try {
      return MethodHandles.lookup().findVarHandle(Changes.class, "count", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Only by the thread that changes, which calls {@link #end} whatever happens. */
  public void begin() {
    COUNT.setOpaque(this, count + 1);
    VarHandle.storeStoreFence();
  }

  public void end() {
    COUNT.setRelease(this, count + 1);
  }

  /**
   * To be asked before something is read: the count, when nothing is being changed.
   *
   * @param tries how often it was read in vain
   * @throws IllegalStateException if that goes on for seconds
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
   * A copy of what did not change meanwhile; of what is being changed if that does not end, since
   * whoever died in it says nothing more.
   *
   * @param copying must come to an end whatever it meets
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

  /** To be asked when it is read: whether nothing has changed since. */
  public boolean isStill(long seen) {
    VarHandle.loadLoadFence();
    return (long) COUNT.getOpaque(this) == seen;
  }
}
