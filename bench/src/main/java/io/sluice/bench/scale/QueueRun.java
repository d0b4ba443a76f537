package io.sluice.bench.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.bench.apps.RunningSluice;
import io.sluice.bench.apps.SluiceApplication;
import io.sluice.bench.input.Input;
import io.sluice.bench.input.Workload;
import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.ThreadCost;
import io.sluice.bench.run.Workplace;
import io.sluice.rules.event.Keys;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Measures an application with a number of events that wait in line behind one limit of all users,
 * each in a line of its own, in two starts of the application.
 */
final class QueueRun {
  /*
   * All events have the same action, which is the field that decides on their partition: so all of
   * them wait in one task. A pause holds them until the measurement begins.
   */
  private static final String PAUSED = "{\"limit\":\"measured\",\"set\":{\"verdict\":\"pause\"}}";
  private static final String UNBOUNDED =
      "{\"limit\":\"measured\",\"set\":{\"quota\":\"1000000/1s\"}}";

  private static final String LIMIT = "measured";
  private static final String RELEASES = "queue-releases-total";
  private static final long PERIOD_NANOS = 250_000_000;

  /** Part of the events that leave while their highest rate is measured. */
  private static final double MOST_RELEASED = 0.9;

  /** Longest period of a measurement of CPU time, seconds. */
  private static final int PERIOD_SECONDS = 5;

  private static final int MOST_PERIODS = 12;

  /** Key of the records, so that they need no hop to the partition of their action. */
  private static final byte[] ACTION = "post".getBytes(UTF_8);

  private final Laboratory laboratory;
  private final Heap heap;
  private final SluiceApplication application;
  private final String store;
  private final int waiting;
  private final String id;
  private final InstantSource clock = InstantSource.system();
  private String revisions = "";
  private long publishMillis;

  QueueRun(Laboratory laboratory, Heap heap, String store, int waiting) {
    this.laboratory = laboratory;
    this.heap = heap;
    application = application(store);
    this.store = store;
    this.waiting = waiting;
    id = "lines-%d-%s".formatted(waiting, store);
  }

  /** Creates the application: a limit of all users, and one of each user. */
  private static SluiceApplication application(String store) {
    Map<String, String> ofAll =
        Map.of(
            "key", "action", "quota", QueuePoint.RATE + "/1s", "burst", "1", "exceeded", "queue");
    Map<String, String> general =
        Map.of(
            "sluice.limits",
            "measured,each",
            "sluice.limit.each.key",
            "action,userId",
            "sluice.limit.each.quota",
            "1/60s",
            "sluice.limit.each.exceeded",
            "queue",
            Keys.STATE_STORE,
            store);
    return new SluiceApplication(ofAll, general, false);
  }

  /** Publishes the events while the limit is paused, and waits until all of them wait in line. */
  void fill() throws Exception {
    Workplace at = at("filled");
    laboratory.createTopic(at.input(), Map.of());
    at.createOutputs();
    revisions = at.createRevisions();
    revise("pause", PAUSED);
    try (RunningSluice running = application.open(at)) {
      running.awaitRunning();
      long startMs = clock.millis();
      Workload workload = new Workload(Input.inTurns(waiting), waiting);
      laboratory.publish(waiting, i -> event(at.input(), workload.record(i)));
      running.await(id, () -> running.sum("queue-length", LIMIT) == waiting);
      publishMillis = clock.millis() - startMs;
    }
    at.deleteFolder();
    say("wait", publishMillis);
  }

  /**
   * Starts the application without local state, releases events first at the rate of the quota and
   * then as fast as possible, and returns the figures.
   */
  QueuePoint measure() throws Exception {
    long idleBytes = heap.idleBytes(store);
    Workplace at = at("measured");
    QueuePoint point;
    long startMs = clock.millis();
    try (RunningSluice running = application.open(at)) {
      running.await(id, () -> running.sum("queue-length", LIMIT) == waiting);
      long restoreMillis = clock.millis() - startMs;
      say("wait again", restoreMillis);
      long heapBytes = Math.max(0, Heap.usedBytes() - idleBytes);
      revise("pause", null);
      double share = threadShare(running);
      revise("quota", UNBOUNDED);
      point =
          new QueuePoint(
              store,
              waiting,
              publishMillis,
              restoreMillis,
              heapBytes,
              share,
              releasesPerSecond(running));
    }
    laboratory.deleteTopics(id);
    at.deleteFolder();
    laboratory.say(
        "%,d lines, %s: %.1f %% of a core at %,d releases/s; %,.0f releases/s at most",
        waiting, store, 100 * point.threadShare(), QueuePoint.RATE, point.releasesPerSecond());
    return point;
  }

  /**
   * Returns the share of a core that the stream thread uses while the quota is used up: the least
   * of some periods, since at first the lines move from the gate of the pause to that of the limit.
   */
  private double threadShare(RunningSluice running) {
    int releases = Math.max(1, Math.min(waiting / 20, PERIOD_SECONDS * QueuePoint.RATE));
    int periods = Math.min(MOST_PERIODS, waiting / releases / 5);
    double least = 1;
    for (int i = 0; i < periods; i++) {
      long cpuNanos = ThreadCost.of(id).cpuNanos();
      long startNanos = System.nanoTime();
      awaitReleases(running, releases);
      long spentNanos = ThreadCost.of(id).cpuNanos() - cpuNanos;
      double share = spentNanos / (double) (System.nanoTime() - startNanos);
      laboratory.say("%,d lines, %s: %.1f %% of a core", waiting, store, 100 * share);
      least = Math.min(least, share);
    }
    return least;
  }

  /**
   * Returns the rate in the fastest of some short periods, since the first one may begin before the
   * new quota is in force. Most lines must be left at its beginning.
   */
  private double releasesPerSecond(RunningSluice running) {
    double most = 0;
    double released = running.sum(RELEASES, LIMIT);
    long atNanos = System.nanoTime();
    do {
      double before = released;
      long sinceNanos = atNanos;
      LockSupport.parkNanos(PERIOD_NANOS);
      released = running.sum(RELEASES, LIMIT);
      atNanos = System.nanoTime();
      most = Math.max(most, (released - before) * 1e9 / (atNanos - sinceNanos));
    } while (released < waiting * MOST_RELEASED && !running.hasFailed());
    return most;
  }

  /** Waits until this many further events have left. */
  private void awaitReleases(RunningSluice running, double events) {
    double wanted = running.sum(RELEASES, LIMIT) + events;
    running.await(id, () -> running.sum(RELEASES, LIMIT) >= wanted);
  }

  private static ProducerRecord<byte[], byte[]> event(
      String topic, ProducerRecord<byte[], byte[]> event) {
    return new ProducerRecord<>(topic, null, event.timestamp(), ACTION, event.value());
  }

  /**
   * Publishes a revision.
   *
   * @param revision null to take it back
   */
  private void revise(String name, String revision)
      throws ExecutionException, InterruptedException {
    byte[] value = revision == null ? null : revision.getBytes(UTF_8);
    laboratory.publish(1, i -> new ProducerRecord<>(revisions, name.getBytes(UTF_8), value));
  }

  private Workplace at(String start) throws Exception {
    return Workplace.of(laboratory, id, id + "-input", start);
  }

  private void say(String what, long millis) {
    laboratory.say("%,d lines, %s: %s after %.1f s", waiting, store, what, millis / 1e3);
  }
}
