package io.sluice.bench.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.bench.apps.RunningSluice;
import io.sluice.bench.apps.SluiceApplication;
import io.sluice.bench.input.Input;
import io.sluice.bench.input.Workload;
import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.Outputs;
import io.sluice.bench.run.Workplace;
import io.sluice.bench.run.WrongResultException;
import io.sluice.rules.event.Keys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * Measures an application with a number of delayed events in a state store, in two starts of the
 * application.
 */
final class DelayRun {
  /*
   * The run publishes events directly to the topic of delayed events, in Sluice's format, so that
   * it measures only the shaper, which is the processor that releases delayed events. Most events
   * are due tomorrow. The other events are due soon, ten in each millisecond: a thousand for each
   * punctuation of the shapers.
   */
  private static final long TOMORROW_MS = Duration.ofDays(1).toMillis();
  private static final long SOON_MS = 1_000;
  private static final int DUE_IN_A_MS = 10;

  private final Laboratory laboratory;
  private final Heap heap;
  private final SluiceApplication application;
  private final String store;
  private final int waiting;
  private final String id;
  private final InstantSource clock = InstantSource.system();
  private long publishMillis;

  DelayRun(Laboratory laboratory, Heap heap, String store, int waiting) {
    this.laboratory = laboratory;
    this.heap = heap;
    application = application(store);
    this.store = store;
    this.waiting = waiting;
    id = "delays-%d-%s".formatted(waiting, store);
  }

  /**
   * Creates the application. Its limit is on Redis, without rows in the state store, so that only
   * the shaper (the processor that releases delayed events) has punctuations. Averages of metrics
   * cover the last 5 seconds.
   */
  private static SluiceApplication application(String store) {
    Map<String, String> limit = Map.of("backend", "redis", "exceeded", "delay");
    Map<String, String> general =
        Map.of(Keys.STATE_STORE, store, "metrics.sample.window.ms", "5000");
    return new SluiceApplication(limit, general, false);
  }

  /** Publishes the events that stay delayed, and waits until the application has stored them. */
  void fill() throws Exception {
    Workplace at = at("filled");
    laboratory.createTopic(at.input(), Outputs.STAMPED_BY_BROKER);
    at.createOutputs();
    try (RunningSluice running = application.open(at)) {
      running.awaitRunning();
      long startMs = clock.millis();
      publish(waiting, startMs + TOMORROW_MS);
      running.await(id, () -> running.sum("delayed-waiting") == waiting);
      publishMillis = clock.millis() - startMs;
    }
    at.deleteFolder();
    say("wait", publishMillis);
  }

  /**
   * Starts the application without local state, releases this many other events while the earlier
   * ones stay delayed, and returns the figures.
   */
  DelayPoint measure(int released) throws Exception {
    long idleBytes = heap.idleBytes(store);
    Workplace at = at("measured");
    DelayPoint point;
    long startMs = clock.millis();
    try (RunningSluice running = application.open(at)) {
      running.await(id, () -> running.sum("delayed-waiting") == waiting);
      long restoreMillis = clock.millis() - startMs;
      say("wait again", restoreMillis);
      long heapBytes = Math.max(0, Heap.usedBytes() - idleBytes);
      publish(released, clock.millis() + SOON_MS);
      running.await(id, () -> running.sum("release-total") == released);
      double wake = running.metric("punctuate-latency-avg").average().orElse(0);
      double longest = running.metric("punctuate-latency-max").max().orElse(0);
      point =
          new DelayPoint(store, waiting, publishMillis, restoreMillis, heapBytes, wake, longest);
    }
    requireReleased(at, released);
    laboratory.deleteTopics(id);
    at.deleteFolder();
    laboratory.say(
        "%,d delayed events, %s: a wake takes %.2f ms", waiting, store, point.wakeMillis());
    return point;
  }

  private void requireReleased(Workplace at, int released) {
    long allowed = Outputs.of(laboratory, at.allowed()).count();
    if (allowed != released) {
      throw new WrongResultException(
          "%s released %,d, and should have released %,d".formatted(id, allowed, released));
    }
  }

  private Workplace at(String start) throws Exception {
    return Workplace.of(laboratory, id, id + "-input", start);
  }

  private void publish(int events, long dueMs) throws Exception {
    Workload workload = new Workload(Input.inTurns(Input.FEW), events);
    laboratory.publish(events, i -> delayed(workload.record(i), i, dueMs + i / DUE_IN_A_MS));
  }

  private ProducerRecord<byte[], byte[]> delayed(
      ProducerRecord<byte[], byte[]> event, long number, long dueMs) {
    ProducerRecord<byte[], byte[]> delayed =
        new ProducerRecord<>(id + "-delayed", null, event.timestamp(), event.key(), event.value());
    header(delayed.headers(), "verdict", "delayed");
    header(delayed.headers(), "limit", "measured");
    header(delayed.headers(), "remaining", "0");
    header(delayed.headers(), "retry-after-ms", "20000");
    header(delayed.headers(), "reset-after-ms", "60000");
    header(delayed.headers(), "release-at-ms", Long.toString(dueMs));
    header(delayed.headers(), "origin", "%s-input-0-%d".formatted(id, number));
    return delayed;
  }

  private static void header(Headers headers, String name, String value) {
    headers.add("sluice-" + name, value.getBytes(UTF_8));
  }

  private void say(String what, long millis) {
    laboratory.say("%,d delayed events, %s: %s after %.1f s", waiting, store, what, millis / 1e3);
  }
}
