package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.sluice.cli.SimulateCli;
import io.sluice.embedded.EmbeddedKafka;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Broker with topics of past events, on which simulations run. */
final class PastTopics implements AutoCloseable {
  final EmbeddedKafka kafka;
  final Admin admin;
  private final Map<String, String> login;

  PastTopics() {
    this(EmbeddedKafka.start(), Map.of());
  }

  /**
   * @param login of a user with all rights
   */
  PastTopics(EmbeddedKafka kafka, Map<String, String> login) {
    this.kafka = kafka;
    this.login = login;
    admin = Admin.create(client());
  }

  private Map<String, Object> client(String... settings) {
    Map<String, Object> all = new HashMap<>(login);
    all.put("bootstrap.servers", kafka.bootstrapServers());
    for (String setting : settings) all.put(setting.split("=")[0], setting.split("=")[1]);
    return all;
  }

  /**
   * Creates topics, and returns when they accept records: earlier sends would be retried for
   * minutes.
   */
  void create(int partitions, String... topics) throws Exception {
    Map<TopicPartition, OffsetSpec> all = new HashMap<>();
    for (String topic : topics) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
      for (int i = 0; i < partitions; i++) {
        all.put(new TopicPartition(topic, i), OffsetSpec.latest());
      }
    }
    await().ignoreExceptions().until(() -> admin.listOffsets(all).all().get().size() == all.size());
  }

  KafkaProducer<byte[], byte[]> producer(String... settings) {
    return new KafkaProducer<>(
        client(settings), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Publishes events numbered {@code from} to {@code to - 1}, one millisecond apart, to the first
   * two partitions.
   */
  static void publish(KafkaProducer<byte[], byte[]> producer, String topic, int from, int to) {
    long atMs = System.currentTimeMillis() - 600_000;
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int i = from; i < to; i++) {
      byte[] value = json("e" + i, "u" + i % 50, "post", atMs + i);
      sent.add(producer.send(new ProducerRecord<>(topic, i % 2, atMs + i, null, value)));
    }
    try {
      for (Future<RecordMetadata> each : sent) each.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] json(String id, String user, String action, long atMs) {
    return "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"%s\",\"occurredAt\":%d}"
        .formatted(id, user, action, atMs)
        .getBytes(UTF_8);
  }

  /**
   * Returns the settings of an application with these input topics; later settings replace earlier
   * ones.
   */
  Map<String, String> settings(String topics, String... more) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("application.id", "simulated-" + topics.replace(',', '-'));
    settings.put("sluice.topics.input", topics);
    settings.put("sluice.limits", "post");
    settings.put("sluice.limit.post.match.action", "post");
    settings.put("sluice.limit.post.quota", "3/60s");
    settings.put("sluice.limit.post.algorithm", "sliding-window-log");
    for (String setting : more) settings.put(setting.split("=")[0], setting.split("=")[1]);
    return settings;
  }

  static SimulateCli simulate(Path folder, Map<String, String> settings) {
    return new SimulateCli(
        folder,
        settings.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .toArray(String[]::new));
  }

  static List<String> ids(SimulateCli.Result result) {
    return result.out().stream().map(line -> line.split("\"")[3]).toList();
  }

  @Override
  public void close() {
    admin.close();
    kafka.close();
  }
}
