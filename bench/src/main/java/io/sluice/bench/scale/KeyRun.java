package io.sluice.bench.scale;

import io.sluice.bench.apps.RunningSluice;
import io.sluice.bench.apps.SluiceApplication;
import io.sluice.bench.input.Input;
import io.sluice.bench.lab.Folders;
import io.sluice.bench.run.Committed;
import io.sluice.bench.run.FirstPoll;
import io.sluice.bench.run.Outputs;
import io.sluice.bench.run.ThreadCost;
import io.sluice.bench.run.Workplace;
import io.sluice.bench.run.WrongResultException;
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

  private final ScaleBed bed;
  private final SluiceApplication application;
  private final String store;
  private final Input input;
  private final String id;
  private final Committed committed;
  private final InstantSource clock = InstantSource.system();
  private long heapBytes;
  private long diskBytes;

  KeyRun(ScaleBed bed, String store, Input input) {
    this.bed = bed;
    application = ScaleBed.funnel(store);
    this.store = store;
    this.input = input;
    id = "keys-%d-%s".formatted(input.keys(), store);
    committed = new Committed(bed.laboratory(), id, input.topic(), MOST_STANDING_STILL);
  }

  /** Starts the application, which meters one event of each key, and deletes its local state. */
  void fill() throws Exception {
    Workplace at = at("filled");
    bed.createOutputs(at);
    long startMs = clock.millis();
    try (RunningSluice running = application.open(at)) {
      committed.await(id, running, input.keys());
    }
    FirstPoll.atMs(id);
    bed.laboratory().emptyTopic(at.allowed());
    Folders.delete(Path.of(at.stateFolder()));
    say("met once", startMs);
  }

  /**
   * Starts the application again, and measures the heap and the disk space of the restored keys
   * while the application is idle.
   */
  void weigh() throws Exception {
    long heapOfNothing = bed.heapOfNothing(store);
    Workplace at = at("weighed");
    long startMs = clock.millis();
    try (RunningSluice running = application.open(at)) {
      running.awaitRunning();
      heapBytes = Math.max(0, Heap.usedBytes() - heapOfNothing);
    }
    diskBytes = Folders.bytes(Path.of(at.stateFolder()));
    Folders.delete(Path.of(at.stateFolder()));
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
      committed.await(id, running, (long) input.keys() + events);
      cost = ThreadCost.ofStreamThreads(id);
    }
    FirstPoll.atMs(id);
    Outputs allowed = Outputs.of(at.bootstrapServers(), at.allowed());
    if (allowed.count() != events) {
      throw new WrongResultException(
          "%s gave %,d allowed, and should have given %,d".formatted(id, allowed.count(), events));
    }
    bed.laboratory().deleteTopics(id);
    Folders.delete(Path.of(at.stateFolder()));
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

  private Workplace at(String start) throws Exception {
    return bed.workplace(id, input.topic(), start);
  }

  private void say(String what, long startMs) {
    double seconds = (clock.millis() - startMs) / 1e3;
    bed.say("%,d keys, %s: %s, in %.1f s", input.keys(), store, what, seconds);
  }
}
