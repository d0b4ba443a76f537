package io.sluice.topology.watch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The changes of something that one thread writes and others copy. The writer never waits: a reader
 * that met a change copies again (a sequence lock).
 */
final class Changes {
  private static final VarHandle NUMBER;
  private static final int TRIES = 2_000;
  private static final long PAUSE_NANOS = 20_000;

  static {
    try {
      NUMBER = MethodHandles.lookup().findVarHandle(Changes.class, "number", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long number; // odd while something changes

  void begin() {
    NUMBER.setOpaque(this, number + 1);
    VarHandle.storeStoreFence();
  }

  void end() {
    NUMBER.setRelease(this, number + 1);
  }

  /**
   * A copy of what did not change meanwhile.
   *
   * @param copying must come to an end whatever it meets
   */
  <T> T whole(Supplier<T> copying) {
    for (int i = 0; i < TRIES; i++) {
      long before = (long) NUMBER.getAcquire(this);
      if ((before & 1) == 0) {
        T copy = copying.get();
        VarHandle.loadLoadFence();
        if ((long) NUMBER.getOpaque(this) == before) return copy;
      }
      LockSupport.parkNanos(PAUSE_NANOS); // a writer in the middle may wait for this very core
    }
    return copying.get(); // a writer that died in the middle of a change is no reason to wait on
  }
}
