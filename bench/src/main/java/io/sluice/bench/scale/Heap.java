package io.sluice.bench.scale;

import io.sluice.bench.apps.RunningSluice;
import io.sluice.bench.apps.SluiceApplication;
import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.Workplace;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Heap of this process, in which the measured application runs, too. */
final class Heap {
  /** Quota that allows all events, so that each event writes a row of the state store. */
  private static final String NEVER_USED_UP = "1000000/1h";

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

  private final Laboratory laboratory;
  private final Map<String, Long> idleBytes = new HashMap<>();

  Heap(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  static SluiceApplication funnel(String store) {
    return SluiceApplication.onStateStore("funnel", store).withQuota(NEVER_USED_UP);
  }

  /** Forgets the idle heap sizes of the warm-up. */
  void warmedUp() {
    idleBytes.clear();
  }

  /**
   * Returns the heap in bytes that an idle application with this state store uses, which is
   * measured at the first call.
   */
  long idleBytes(String store) throws Exception {
    Long known = idleBytes.get(store);
    if (known != null) return known;
    String id = "nothing-" + store;
    Workplace at = Workplace.of(laboratory, id, id + "-input");
    laboratory.createTopic(at.input(), Map.of());
    at.createOutputs();
    try (RunningSluice running = funnel(store).open(at)) {
      running.awaitRunning();
      idleBytes.put(store, usedBytes());
    }
    laboratory.deleteTopics(id);
    return idleBytes.get(store);
  }

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

  /** Returns a line about a run for which the heap has no room; empty if it has. */
  static Optional<String> shortage(String run, double bytes) {
    if (bytes <= Runtime.getRuntime().maxMemory() * USABLE) return Optional.empty();
    return Optional.of(
        String.format(
            Locale.ROOT,
            "Left out for lack of memory: %s. They need a heap of about %.1f GiB.",
            run,
            bytes / USABLE / (1 << 30)));
  }
}
