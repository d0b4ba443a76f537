package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.testing.Servers;
import io.sluice.topology.Harness;
import io.sluice.topology.config.SluiceConfig;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Measures the cost of delayed events without a broker. Not part of the build; run its main with
 * one of
 *
 * <ul>
 *   <li>{@code queue memory|rocksdb}: ten million events through the store, and the cost of a tick
 *       at the beginning and at the end;
 *   <li>{@code ticks memory|rocksdb}: a million waiting events, and the time of the ticks that
 *       release them.
 * </ul>
 */
final class DelayQueueBenchmark {
  private static final int WAITING = 1_000_000;
  private static final byte[] VALUE =
      ("{\"eventId\":\"7f8a6f0e-3f5b-4d0c-9a55-0d6f8f1f2a3b\",\"userId\":\"user123456\","
              + "\"action\":\"sms\",\"occurredAt\":1700000000000,\"target\":\"+4915112345678\"}")
          .getBytes(UTF_8);

  private DelayQueueBenchmark() {}

  public static void main(String[] args) throws Exception {
    String store = args[1];
    switch (args[0]) {
      case "queue" -> queue(store);
      case "ticks" -> ticks(store);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void say(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  private static SluiceConfig config(String store, Path folder) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", "localhost:9092");
    settings.put("application.id", "delays");
    settings.put("state.dir", folder.toString());
    settings.put("sluice.state.store", store);
    settings.put("sluice.topics.partitions", "6");
    settings.put("sluice.limits", "sms");
    settings.put("sluice.limit.sms.quota", "1/1s");
    settings.put("sluice.limit.sms.exceeded", "delay");
    return SluiceConfig.of(settings);
  }

  private static Headers headers(long dueMs) {
    return new RecordHeaders()
        .add("sluice-verdict", "delayed".getBytes(UTF_8))
        .add("sluice-limit", "sms".getBytes(UTF_8))
        .add("sluice-remaining", "0".getBytes(UTF_8))
        .add("sluice-reset-after-ms", "60000".getBytes(UTF_8))
        .add("sluice-retry-after-ms", "59000".getBytes(UTF_8))
        .add("sluice-release-at-ms", Long.toString(dueMs).getBytes(UTF_8))
        .add("sluice-attempt", "1".getBytes(UTF_8))
        .add("sluice-origin", "user-actions-3-123456789".getBytes(UTF_8));
  }

  private static void queue(String kind) {
    Path folder = Servers.folder();
    SluiceConfig config = config(kind, folder);
    DelayQueueTest.reopened(config, folder, store -> tenMillion(kind, store));
    DelayQueueTest.reopened(config, folder, DelayQueueBenchmark::sayHowItOpens);
  }

  private static void sayHowItOpens(KeyValueStore<Bytes, byte[]> store) {
    long start = System.nanoTime();
    DelayQueue queue = new DelayQueue(store);
    say(
        "  opened again with %d waiting in %.1f ms",
        queue.waiting(), (System.nanoTime() - start) / 1e6);
  }

  private static void tenMillion(String kind, KeyValueStore<Bytes, byte[]> store) {
    DelayQueue queue = new DelayQueue(store);
    byte[] row = new byte[300];
    int perTick = 1_000;
    int ahead = 100; // ticks that an event waits
    long offset = 0;
    List<long[]> nanos = new ArrayList<>(); // CPU time and wall-clock time
    for (int tick = 0; tick < 10_000 + ahead; tick++) {
      for (int i = 0; i < perTick; i++) queue.add(DueKey.of(tick + ahead, offset++), row);
      long start = System.nanoTime();
      long cpuStart = cpuNanos();
      int left = 0;
      if (!queue.mayHaveDue(tick)) continue;
      try (KeyValueIterator<Bytes, byte[]> due = queue.due(tick)) {
        for (; due.hasNext(); left++) {
          KeyValue<Bytes, byte[]> next = due.next();
          queue.leave(next.key);
        }
      }
      queue.readUpTo(DueKey.of(tick + 1, 0));
      queue.note(tick);
      if (left > 0) nanos.add(new long[] {cpuNanos() - cpuStart, System.nanoTime() - start});
    }
    int part = nanos.size() / 10;
    say("queue %s: %d events have left", kind, (long) nanos.size() * perTick);
    for (int i = 0; i < 10; i++) {
      List<long[]> some = nanos.subList(i * part, (i + 1) * part);
      long[] wall = some.stream().mapToLong(each -> each[1]).sorted().toArray();
      say(
          "  tenth %2d: %.2f us of the processor for each that leaves, p99 of a tick of %d %.1f ms",
          i + 1,
          some.stream().mapToLong(each -> each[0]).average().orElseThrow() / perTick / 1e3,
          perTick,
          wall[wall.length * 99 / 100] / 1e6);
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void ticks(String kind) {
    try (Harness sluice =
        new Harness(
            "sluice.state.store=" + kind,
            "sluice.limits=sms",
            "sluice.limit.sms.quota=1/1s",
            "sluice.limit.sms.exceeded=delay",
            "processing.guarantee=at_least_once",
            "state.dir=" + Servers.folder())) {
      int ticks = 1_000;
      long before = usedHeap();
      long start = System.nanoTime();
      for (int i = 0; i < WAITING; i++) {
        long dueMs = Harness.NOON_MS + 100 + i % ticks * 100L;
        sluice.delay("user123456".getBytes(UTF_8), VALUE, headers(dueMs));
        if (i % 10_000 == 0) forget(sluice);
      }
      forget(sluice);
      say(
          "ticks %s: %d events taken in at %.1f us each",
          kind, WAITING, (System.nanoTime() - start) / 1e3 / WAITING);
      say("  heap: %d bytes an event", (usedHeap() - before) / WAITING);
      long[] nanos = new long[ticks];
      for (int i = 0; i < ticks; i++) {
        long tick = System.nanoTime();
        sluice.runTo(100L * (i + 1));
        nanos[i] = System.nanoTime() - tick;
        forget(sluice);
      }
      Arrays.sort(nanos);
      say(
          "  ticks that let go %d each: p50 %.1f ms, p99 %.1f ms, worst %.1f ms",
          WAITING / ticks,
          nanos[ticks / 2] / 1e6,
          nanos[ticks * 99 / 100] / 1e6,
          nanos[ticks - 1] / 1e6);
    }
  }

  /** Reads the outputs, which the test driver would otherwise keep. */
  private static void forget(Harness sluice) {
    for (String topic : List.copyOf(sluice.driver.producedTopicNames())) {
      var output =
          sluice.driver.createOutputTopic(
              topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      while (!output.isEmpty()) output.readRecord();
    }
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
