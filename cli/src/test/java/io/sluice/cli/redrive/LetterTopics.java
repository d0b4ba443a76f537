package io.sluice.cli.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.sluice.cli.RedriveCli;
import io.sluice.embedded.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Broker with topics of applications and their dead letters. */
final class LetterTopics implements AutoCloseable {
  static final int PARTITIONS = 2;
  static final long TIME_MS = System.currentTimeMillis() - 600_000;

  final EmbeddedKafka kafka;
  final Admin admin;
  private final Map<String, String> login;
  private final KafkaProducer<byte[], byte[]> producer;

  LetterTopics() {
    this(EmbeddedKafka.start(), Map.of());
  }

  /**
   * @param login of a user with all rights
   */
  LetterTopics(EmbeddedKafka kafka, Map<String, String> login) {
    this.kafka = kafka;
    this.login = login;
    admin = Admin.create(client());
    producer = new KafkaProducer<>(client(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  private Map<String, Object> client() {
    Map<String, Object> all = new HashMap<>(login);
    all.put("bootstrap.servers", kafka.bootstrapServers());
    return all;
  }

  /** Creates the input topic and the topic of dead letters of an application. */
  Map<String, String> application(String name, String... settings) throws Exception {
    create(name + "-in", Map.of());
    create(name + "-dead", Map.of());
    return settings(name, settings);
  }

  void create(String topic, Map<String, String> configs) throws Exception {
    admin
        .createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1).configs(configs)))
        .all()
        .get();
    Map<TopicPartition, OffsetSpec> all = new HashMap<>();
    for (int i = 0; i < PARTITIONS; i++) all.put(new TopicPartition(topic, i), OffsetSpec.latest());
    await().ignoreExceptions().until(() -> admin.listOffsets(all).all().get().size() == PARTITIONS);
  }

  Map<String, String> settings(String name, String... more) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("application.id", name);
    settings.put("sluice.topics.input", name + "-in");
    settings.put("sluice.topics.dead-letter", name + "-dead");
    settings.put("sluice.topics.allowed", name + "-allowed");
    settings.put("sluice.topics.rejected", name + "-rejected");
    settings.put("sluice.topics.delayed", name + "-delayed");
    settings.put("sluice.limits", "");
    for (String each : more) settings.put(each.split("=")[0], each.split("=", 2)[1]);
    return settings;
  }

  /** Dead letter that is not written yet. */
  record Letter(String value, String reason, String origin, String... headers) {}

  /** Writes letters to a topic, in the given order to the first partition. */
  void write(String topic, List<Letter> letters) throws Exception {
    List<Future<?>> sent = new ArrayList<>();
    for (Letter each : letters) {
      byte[] value = each.value == null ? null : each.value.getBytes(UTF_8);
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topic, 0, TIME_MS, ("k" + each.origin).getBytes(UTF_8), value);
      record.headers().add("trace", "t".getBytes(UTF_8));
      record.headers().add("sluice-error", "some error".getBytes(UTF_8));
      record.headers().add("sluice-error-reason", each.reason.getBytes(UTF_8));
      record.headers().add("sluice-error-origin", each.origin.getBytes(UTF_8));
      for (String header : each.headers) {
        record.headers().add(header.split("=")[0], header.split("=")[1].getBytes(UTF_8));
      }
      sent.add(producer.send(record));
    }
    for (Future<?> each : sent) each.get();
  }

  static RedriveCli redrive(Path folder, Map<String, String> settings) {
    return new RedriveCli(folder, settings);
  }

  /** Returns the committed records of a topic, by partition and offset. */
  List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
    return records(topic, "read_committed");
  }

  /** Returns all records of a topic, also those of aborted transactions. */
  List<ConsumerRecord<byte[], byte[]>> written(String topic) {
    return records(topic, "read_uncommitted");
  }

  private List<ConsumerRecord<byte[], byte[]>> records(String topic, String isolation) {
    Map<String, Object> settings = client();
    settings.put("isolation.level", isolation);
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, PARTITIONS).mapToObj(i -> new TopicPartition(topic, i)).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (!partitions.stream().allMatch(each -> consumer.position(each) >= ends.get(each))) {
        consumer.poll(Duration.ofMillis(100)).forEach(all::add);
      }
    }
    return all;
  }

  static List<String> values(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(each -> new String(each.value(), UTF_8)).toList();
  }

  Set<String> names() throws Exception {
    return admin.listTopics().names().get();
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
    kafka.close();
  }
}
