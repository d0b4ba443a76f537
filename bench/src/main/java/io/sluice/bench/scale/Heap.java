package io.sluice.bench.scale;

import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;

/** The heap of this process, in which the measured application runs. */
final class Heap {
  /** Below this, it cannot be told from what else comes and goes. */
  static final long LEAST_TOLD_BYTES = 2_000_000;

  private static final int LEAST_COLLECTIONS = 3;
  private static final int MOST_COLLECTIONS = 20;
  private static final long BETWEEN_NANOS = 100_000_000;

  /** A collection that finds less is the last. */
  private static final long LITTLE_BYTES = 100_000;

  /** So much may be used of it, or more time goes into collecting than into anything else. */
  private static final double USABLE = 0.75;

  private Heap() {}

  /** What is in use when everything else is collected, for which objects may want some rounds. */
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

  /** The heap in which that has room. */
  static double neededFor(double bytes) {
    return bytes / USABLE;
  }

  private static double usableBytes() {
    return Runtime.getRuntime().maxMemory() * USABLE;
  }
}
