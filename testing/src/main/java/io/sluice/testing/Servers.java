package io.sluice.testing;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.embedded.EmbeddedRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/**
 * Real broker and real Redis, shared by all integration tests of a JVM. Each test has its own
 * topics.
 */
public final class Servers {
  private static final int MOST_IDLE_POLLS = 600;
  private static final Duration MOST_READING = Duration.ofMinutes(5);
  private static final AtomicInteger APPLICATIONS = new AtomicInteger();
  private static Servers shared;

  /** Broker settings that shorten the wait for the end of a session or a transaction. */
  private static final Map<String, String> SHORT_TIMES =
      Map.of(
          "group.min.session.timeout.ms",
          "1000",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms",
          "500");

  public final EmbeddedKafka kafka = EmbeddedKafka.builder().settings(SHORT_TIMES).start();
  public final EmbeddedRedis redis = EmbeddedRedis.builder().start();

  public static synchronized Servers shared() {
    if (shared == null) {
      // The default of ten seconds is too short for starting an application on a busy machine.
      Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
      shared = new Servers();
      Servers servers = shared;
      Runtime.getRuntime().addShutdownHook(new Thread(servers::close));
    }
    return shared;
  }

  private void close() {
    kafka.close();
    redis.close();
  }

  /** Settings of a new application, with its own topics and Redis key prefix. */
  public Map<String, String> settings(String... settings) {
    int number = APPLICATIONS.incrementAndGet();
    Map<String, String> given = new HashMap<>();
    given.put("bootstrap.servers", kafka.bootstrapServers());
    given.put("application.id", "app" + number);
    given.put("state.dir", folder().toString());
    given.put("sluice.redis.uri", redis.uri());
    given.put("sluice.redis.key.prefix", "app" + number);
    for (String topic : List.of("input", "allowed", "rejected", "delayed", "dead-letter")) {
      given.put("sluice.topics." + topic, "app" + number + "-" + topic);
    }
    return SettingLines.put(given, settings);
  }

  public static Path folder() {
    try {
      Path folder = Files.createTempDirectory("sluice-test-");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns all variants of a long test at full scale, or one of them, chosen by the seed, at a
   * smaller one.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static <T> Stream<T> variants(T... all) {
    return TestScale.some(1, Arrays.stream(all));
  }

  /**
   * Publishes values with keys, or null in place of a key, and waits until the broker has all of
   * them.
   */
  public void publish(String topic, List<byte[]> keys, List<byte[]> values) throws Exception {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      records.add(new ProducerRecord<>(topic, keys.get(i), values.get(i)));
    }
    publish(records);
  }

  /** Publishes records, and waits until the broker has all of them. */
  public void publish(List<ProducerRecord<byte[], byte[]>> records) throws Exception {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 5);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (ProducerRecord<byte[], byte[]> each : records) sent.add(producer.send(each));
      for (Future<RecordMetadata> each : sent) each.get();
    }
  }

  /**
   * Reads committed records of some topics until the condition holds, or until no more come for 60
   * seconds.
   */
  public List<ConsumerRecord<byte[], byte[]>> read(
      List<String> topics, Predicate<List<ConsumerRecord<byte[], byte[]>>> enough) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed");
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (String topic : topics) {
        consumer
            .partitionsFor(topic)
            .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long end = System.nanoTime() + MOST_READING.toNanos();
      for (int idle = 0; idle < MOST_IDLE_POLLS && !enough.test(read); idle++) {
        if (System.nanoTime() > end) break;
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(100));
        polled.forEach(read::add);
        if (!polled.isEmpty()) idle = 0;
      }
    }
    return read;
  }

  public static String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }
}
