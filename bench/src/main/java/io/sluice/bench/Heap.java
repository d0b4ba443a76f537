package io.sluice.bench;

import java.lang.management.ManagementFactory;

/** The heap of this process, in which the measured application runs. */
final class Heap {
  private static final int COLLECTIONS = 3;

  /** So much may be used of it, or more time goes into collecting than into anything else. */
  private static final double USABLE = 0.75;

  private Heap() {}

  /** What is in use when everything else is collected. */
  static long usedBytes() {
    for (int i = 0; i < COLLECTIONS; i++) System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
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
