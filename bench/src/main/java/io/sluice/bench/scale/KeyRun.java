package io.sluice.bench.scale;

import com.google.common.io.MoreFiles;
import io.sluice.bench.apps.RunningSluice;
import io.sluice.bench.apps.SluiceApplication;
import io.sluice.bench.input.Input;
import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.Committed;
import io.sluice.bench.run.FirstPoll;
import io.sluice.bench.run.Outputs;
import io.sluice.bench.run.ThreadCost;
import io.sluice.bench.run.Workplace;
import io.sluice.bench.run.WrongResultException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;

/**
 * Measures an application with a number of keys in a state store, in three starts of the
 * application.
 */
final class KeyRun {
  /**
   * Longest time without a commit. It is long, because millions of keys are restored before the
   * first commit.
   */
  private static final Duration MOST_STANDING_STILL = Duration.ofMinutes(10);

  private final Laboratory laboratory;
  private final Heap heap;
  private final SluiceApplication application;
  private final String store;
  private final Input input;
  private final String id;
  private final InstantSource clock = InstantSource.system();
  private long heapBytes;
  private long diskBytes;

  KeyRun(Laboratory laboratory, Heap heap, String store, Input input) {
    this.laboratory = laboratory;
    this.heap = heap;
    application = Heap.funnel(store);
    this.store = store;
    this.input = input;
    id = "keys-%d-%s".formatted(input.keys(), store);
  }

  /** Starts the application, which meters one event of each key, and deletes its local state. */
  void fill() throws Exception {
    Workplace at = at("filled");
    at.createOutputs();
    long startMs = clock.millis();
    try (RunningSluice running = application.open(at)) {
      new Committed(at, MOST_STANDING_STILL).await(id, running, input.keys());
    }
    FirstPoll.atMs(id);
    laboratory.emptyTopic(at.allowed());
    at.deleteFolder();
    say("met once", startMs);
  }

  /**
   * Starts the application again, and measures the heap and the disk space of the restored keys
   * while the application is idle.
   */
  void weigh() throws Exception {
    long idleBytes = heap.idleBytes(store);
    Workplace at = at("weighed");
    long startMs = clock.millis();
    try (RunningSluice running = application.open(at)) {
      running.awaitRunning();
      heapBytes = Math.max(0, Heap.usedBytes() - idleBytes);
    }
    diskBytes = bytes(at.stateFolder());
    at.deleteFolder();
    say("weighed", startMs);
  }

  /**
   * Starts the application a third time, which restores the keys and meters this many further
   * events of them, and returns the figures.
   */
  KeyPoint measure(int events) throws Exception {
    Workplace at = at("measured");
    long startMs = clock.millis();
    ThreadCost cost;
    try (RunningSluice running = application.open(at)) {
      new Committed(at, MOST_STANDING_STILL).await(id, running, (long) input.keys() + events);
      cost = ThreadCost.of(id);
    }
    FirstPoll.atMs(id);
    Outputs allowed = Outputs.of(laboratory, at.allowed());
    if (allowed.count() != events) {
      throw new WrongResultException(
          "%s gave %,d allowed, and should have given %,d".formatted(id, allowed.count(), events));
    }
    laboratory.deleteTopics(id);
    at.deleteFolder();
    KeyPoint point =
        new KeyPoint(
            store,
            input.keys(),
            allowed.lastHalfPerSecond(),
            cost.cpuNanos() / 1e3 / events,
            heapBytes,
            diskBytes,
            allowed.firstMs() - startMs);
    say(String.format(Locale.ROOT, "measured, %.1f us of its thread", point.cpuMicros()), startMs);
    return point;
  }

  /** Returns the total size in bytes of the files in a folder. */
  private static long bytes(Path folder) throws IOException {
    long bytes = 0;
    for (Path file : MoreFiles.fileTraverser().breadthFirst(folder)) {
      if (Files.isRegularFile(file)) bytes += Files.size(file);
    }
    return bytes;
  }

  private Workplace at(String start) throws Exception {
    return Workplace.of(laboratory, id, input.topic(), start);
  }

  private void say(String what, long startMs) {
    double seconds = (clock.millis() - startMs) / 1e3;
    laboratory.say("%,d keys, %s: %s, in %.1f s", input.keys(), store, what, seconds);
  }
}
