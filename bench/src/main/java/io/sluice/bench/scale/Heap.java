package io.sluice.bench.scale;

import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;

/** Heap of this process, in which the measured application runs, too. */
final class Heap {
  /**
   * Least difference of heap sizes that is shown, in bytes; smaller differences cannot be
   * distinguished from noise.
   */
  static final long LEAST_TOLD_BYTES = 2_000_000;

  private static final int LEAST_COLLECTIONS = 3;
  private static final int MOST_COLLECTIONS = 20;
  private static final long BETWEEN_NANOS = 100_000_000;

  /** Bytes that a garbage collection must free, or it is the last one. */
  private static final long LITTLE_BYTES = 100_000;

  /**
   * Usable share of the largest heap; if more is used, garbage collection takes most of the time.
   */
  private static final double USABLE = 0.75;

  private Heap() {}

  /**
   * Returns the used heap in bytes after several garbage collections, because a single one may not
   * free all objects.
   */
  static long usedBytes() {
    long used = Long.MAX_VALUE;
    for (int i = 1; i <= MOST_COLLECTIONS; i++) {
      System.gc();
      long before = used;
      used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (i >= LEAST_COLLECTIONS && before - used < LITTLE_BYTES) break;
      LockSupport.parkNanos(BETWEEN_NANOS);
    }
    return used;
  }

  static boolean hasRoomFor(double bytes) {
    return bytes <= usableBytes();
  }

  /** Returns the size of the largest heap, in bytes, in which this many bytes are usable. */
  static double neededFor(double bytes) {
    return bytes / USABLE;
  }

  private static double usableBytes() {
    return Runtime.getRuntime().maxMemory() * USABLE;
  }
}
