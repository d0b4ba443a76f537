package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Servers;
import io.sluice.testing.StoredFile;
import io.sluice.testing.StoredTraffic;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.Nodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test that an instance of this build continues from the state of an earlier release. */
class UpgradeIT {
  private final Servers servers = Servers.shared();

  @ParameterizedTest
  @ValueSource(strings = {"0.2.0", "0.3.0"})
  void theTopicsOfAReleaseGetTheVerdictsThatItGave(String release) throws Exception {
    String application = StoredTraffic.APPLICATION;
    SluiceConfig config = SluiceConfig.of(servers.settings(StoredTraffic.settings()));
    List<String> expected = StoredFile.all(release + "/" + StoredTraffic.VERDICTS);
    List<String> before = StoredTraffic.before();
    List<String> after = StoredTraffic.after();
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      createTopics(admin, application, config);
      restore(release, application, config);
      publish(config, before);
      admin
          .alterConsumerGroupOffsets(
              application,
              Map.of(
                  new TopicPartition(config.topics().inputs().get(0), 0),
                  new OffsetAndMetadata(before.size())))
          .all()
          .get();
      try (Sluice sluice = Sluice.start(config)) {
        assertThat(sluice.awaitRunning()).isTrue();
        verdicts(config, expected.size() - after.size());
        publish(config, after);
        assertThat(verdicts(config, expected.size())).containsExactlyInAnyOrderElementsOf(expected);
      }
      delete(admin, application);
    }
  }

  /** Deletes the topics, since those of the next release have the same names. */
  private static void delete(Admin admin, String application) throws Exception {
    List<String> topics =
        admin.listTopics().names().get().stream()
            .filter(name -> name.startsWith(application + "-"))
            .toList();
    admin.deleteTopics(topics).all().get();
    admin.deleteConsumerGroups(List.of(application)).all().get();
  }

  private static void createTopics(Admin admin, String application, SluiceConfig config)
      throws Exception {
    Map<String, String> compacted = Map.of("cleanup.policy", "compact");
    List<NewTopic> topics = new ArrayList<>();
    for (String store : List.of(Nodes.LIMITS, Nodes.WAITING, Nodes.TURNS)) {
      topics.add(topic(Nodes.changelog(application, store)).configs(compacted));
    }
    topics.add(topic(config.topics().limits()).configs(compacted));
    topics.add(topic(config.topics().inputs().get(0)));
    admin.createTopics(topics).all().get();
  }

  private static NewTopic topic(String name) {
    return new NewTopic(name, 1, (short) 1);
  }

  private void restore(String release, String application, SluiceConfig config) throws Exception {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String line : StoredFile.all(release + "/" + StoredTraffic.STORES)) {
      String[] row = line.split(" ");
      records.add(record(Nodes.changelog(application, row[0]), row[1], row[2]));
    }
    for (String line : StoredFile.all(release + "/" + StoredTraffic.REVISIONS)) {
      String[] record = line.split(" ");
      records.add(record(config.topics().limits(), record[0], record[1]));
    }
    Map<String, Object> settings = Map.of("bootstrap.servers", servers.kafka.bootstrapServers());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (ProducerRecord<byte[], byte[]> each : records) producer.send(each).get();
    }
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, String value) {
    byte[] bytes = StoredTraffic.bytes(value);
    return new ProducerRecord<>(topic, 0, StoredTraffic.NOON_MS, StoredTraffic.bytes(key), bytes);
  }

  private void publish(SluiceConfig config, List<String> events) throws Exception {
    List<byte[]> keys = Collections.nCopies(events.size(), "key".getBytes(UTF_8));
    List<byte[]> values = events.stream().map(each -> each.getBytes(UTF_8)).toList();
    servers.publish(config.topics().inputs().get(0), keys, values);
  }

  /** Waits for at least so many verdicts and returns all. */
  private List<String> verdicts(SluiceConfig config, int least) {
    return servers.read(config.outputTopics(), read -> read.size() >= least).stream()
        .map(UpgradeIT::line)
        .toList();
  }

  private static String line(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header each : record.headers()) headers.put(each.key(), new String(each.value(), UTF_8));
    return StoredTraffic.line(record.topic(), record.value(), headers);
  }
}
