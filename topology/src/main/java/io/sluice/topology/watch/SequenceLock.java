package io.sluice.topology.watch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Sequence lock with one writer and many readers. The writer never waits for readers: it makes the
 * sequence number odd, changes the data, and makes the sequence number even. A reader repeats its
 * read if the sequence number was odd or has changed meanwhile, and ignores exceptions of a read
 * that it repeats.
 */
public final class SequenceLock {
  /*
   * The memory fences of this class forbid reordering by compilers and some processors; on x86 they
   * need no instruction. So the writer pays two writes to a cache line that it owns, and a reader
   * pays two reads of that cache line. A change takes less than a microsecond, or as long as a hash
   * table of millions of rows takes to grow. A change never ends if the writer's thread died during
   * the change; the store that the lock protects is then closed soon.
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
   * Begins a change of the protected data. Only the writer may call it, and must then call {@link
   * #end}, even after an exception.
   */
  public void begin() {
    COUNT.setOpaque(this, count + 1);
    VarHandle.storeStoreFence();
  }

  public void end() {
    COUNT.setRelease(this, count + 1);
  }

  /**
   * Waits until no change is in progress, and returns the even sequence number. A reader calls it
   * before it reads.
   *
   * @param tries number of this reader's reads that have failed; after many, the reader sleeps
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
   * Returns the result of a lookup that no change has overlapped; repeats the lookup until then.
   *
   * @param lookup may fail or return a wrong result during a change
   */
  public byte[] read(UnaryOperator<byte[]> lookup, byte[] key) {
    for (int tries = 0; ; tries++) {
      long seen = settled(tries);
      try {
        byte[] value = lookup.apply(key);
        if (isStill(seen)) return value;
      } catch (RuntimeException e) {
        // A change that moved rows during the lookup may have caused the exception.
        if (isStill(seen)) throw e;
      }
    }
  }

  /**
   * Returns a copy of the protected data that no change overlapped. If a change does not end for
   * seconds, the writer's thread is dead, and the copy may be inconsistent.
   *
   * @param copying makes the copy; must end, with a value or an exception, even if the data is
   *     inconsistent
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

  /**
   * Whether the protected data has not changed since the sequence number was read. A reader calls
   * it after it has read.
   */
  public boolean isStill(long seen) {
    VarHandle.loadLoadFence();
    return (long) COUNT.getOpaque(this) == seen;
  }
}
