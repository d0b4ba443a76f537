package io.sluice.server.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/**
 * Measures a million delayed events on a broker: heap, restore without local state, and rate of
 * release when all are overdue. Not part of the build; run its main with {@code memory} or {@code
 * rocksdb}. {@code DelayQueueBenchmark} of the module {@code topology} does without a broker.
 */
final class DelayBenchmark {
  private static final int WAITING = 1_000_000;
  private static final byte[] VALUE =
      ("{\"eventId\":\"7f8a6f0e-3f5b-4d0c-9a55-0d6f8f1f2a3b\",\"userId\":\"user123456\","
              + "\"action\":\"sms\",\"occurredAt\":1700000000000,\"target\":\"+4915112345678\"}")
          .getBytes(UTF_8);

  private DelayBenchmark() {}

  public static void main(String[] args) throws Exception {
    broker(args[0]);
  }

  private static void say(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  private static SluiceConfig config(String store, String bootstrapServers, Path folder) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrapServers);
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

  private static void broker(String kind) throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      SluiceConfig config = config(kind, kafka.bootstrapServers(), Servers.folder());
      long dueMs;
      long start = System.nanoTime();
      try (Sluice sluice = Sluice.start(config)) {
        sluice.awaitRunning();
        say("broker %s: ready with nothing in %.1f s", kind, seconds(start));
        long before = usedHeap();
        dueMs = System.currentTimeMillis() + 180_000;
        start = System.nanoTime();
        publish(kafka, config.topics().delayed(), dueMs);
        say("  published in %.1f s", seconds(start));
        await(() -> metric(sluice, "delayed-waiting") == WAITING);
        say("  all wait after %.1f s", seconds(start));
        say("  heap: %d bytes an event", (usedHeap() - before) / WAITING);
        awaitCommit();
      }
      SluiceConfig elsewhere = config(kind, kafka.bootstrapServers(), Servers.folder());
      start = System.nanoTime();
      try (Sluice sluice = Sluice.start(elsewhere)) {
        sluice.awaitRunning();
        await(() -> metric(sluice, "delayed-waiting") == WAITING);
        say("  ready again without local state in %.1f s", seconds(start));
        await(() -> System.currentTimeMillis() >= dueMs);
        start = System.nanoTime();
        await(() -> metric(sluice, "delayed-waiting") == 0);
        say(
            "  all due at once: left in %.1f s, %.0f a second",
            seconds(start), WAITING / seconds(start));
        awaitCommit();
        say(
            "  in %s: %d",
            config.topics().allowed().names().get(0),
            ends(kafka, config.topics().allowed().names().get(0)));
        say("  punctuations: worst %.0f ms", metric(sluice, "punctuate-latency-max"));
      }
      start = System.nanoTime();
      try (Sluice sluice = Sluice.start(config(kind, kafka.bootstrapServers(), Servers.folder()))) {
        sluice.awaitRunning();
        say("  ready again with none waiting in %.1f s", seconds(start));
      }
    }
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static double seconds(long sinceNanos) {
    return (System.nanoTime() - sinceNanos) / 1e9;
  }

  private static void awaitCommit() {
    long until = System.nanoTime() + 1_000_000_000L;
    await(() -> System.nanoTime() > until);
  }

  private static void await(BooleanSupplier condition) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(20))
        .pollInterval(Duration.ofMillis(50))
        .until(condition::getAsBoolean);
  }

  private static double metric(Sluice sluice, String name) {
    return sluice.metrics().entrySet().stream()
        .filter(each -> each.getKey().name().equals(name))
        .mapToDouble(each -> (Double) each.getValue().metricValue())
        .filter(value -> !Double.isNaN(value))
        .sum();
  }

  private static void publish(EmbeddedKafka kafka, String topic, long dueMs) throws Exception {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 20);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      Future<?> last = null;
      for (int i = 0; i < WAITING; i++) {
        byte[] key = ("user" + (100_000 + i % 100_000)).getBytes(UTF_8);
        last = producer.send(new ProducerRecord<>(topic, i % 6, null, key, VALUE, headers(dueMs)));
      }
      producer.flush();
      last.get();
    }
  }

  private static long ends(EmbeddedKafka kafka, String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
      for (int i = 0; i < 6; i++) latest.put(new TopicPartition(topic, i), OffsetSpec.latest());
      long sum = 0;
      for (var end : admin.listOffsets(latest).all().get().values()) sum += end.offset();
      return sum;
    }
  }
}
