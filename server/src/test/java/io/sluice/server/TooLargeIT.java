package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Origin;
import io.sluice.testing.Servers;
import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Tests of records up to the largest size that a broker accepts. */
class TooLargeIT {
  private static final String[] LIMITS = {
    "sluice.limits=reply,sms",
    "sluice.limit.reply.match.action=reply",
    "sluice.limit.reply.quota=100/60s",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/10ms",
    "sluice.limit.sms.exceeded=delay",
    "sluice.topics.partitions=2"
  };

  private final Servers servers = Servers.shared();
  private final SplittableRandom random = new SplittableRandom(3);
  private int sent;

  @Test
  void whatABrokerTookIsWrittenAgainHoweverMuchItIsUncompressed() throws Exception {
    SluiceConfig config = SluiceConfig.of(servers.settings(LIMITS));
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      values.add(event("reply", "a".repeat(2_000_000)));
      values.add(event("sms", "a".repeat(2_000_000)));
      values.add(event("reply", noise(1_000_000)));
      values.add(event("sms", noise(1_000_000)));
    }
    values.add(("no event: " + noise(1_000_000)).getBytes(UTF_8));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, "zstd", values);
      List<ConsumerRecord<byte[], byte[]>> out = all(config, values.size());
      assertThat(out).hasSize(values.size());
      assertThat(on(out, config.topics().allowed().names().get(0))).hasSize(16);
      assertThat(on(out, config.topics().deadLetter().names().get(0)))
          .singleElement()
          .satisfies(letter -> assertThat(letter.value()).isEqualTo(values.get(16)));
      assertThat(sluice.hasFailed()).isFalse();
    }
  }

  @Test
  void whatAnOutputDoesNotTakeIsADeadLetterThatSaysWhereItCameFrom() throws Exception {
    SluiceConfig config =
        SluiceConfig.of(
            servers.settings(SettingLines.with(LIMITS, "producer.compression.type=gzip")));
    create(config.topics().inputs().get(0), 5_000_000);
    create(config.topics().allowed().names().get(0), 1_000_000);
    create(config.topics().deadLetter().names().get(0), 20_000);
    List<byte[]> values =
        List.of(
            event("reply", noise(1_500_000)),
            event("sms", noise(1_500_000)),
            event("reply", "small"),
            event("reply", "a".repeat(1_500_000)),
            ("no event: " + noise(1_500_000)).getBytes(UTF_8));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, "none", values);
      List<ConsumerRecord<byte[], byte[]>> out = all(config, values.size());
      assertThat(on(out, config.topics().allowed().names().get(0))).hasSize(2);
      List<ConsumerRecord<byte[], byte[]>> letters =
          on(out, config.topics().deadLetter().names().get(0));
      assertThat(letters).hasSize(3);
      for (ConsumerRecord<byte[], byte[]> letter : letters) {
        assertThat(letter.value()).isNull();
        assertThat(Servers.header(letter, "sluice-error-left-out")).isEqualTo("value");
        assertThat(original(config, letter)).isIn(values);
      }
      assertThat(letters.stream().map(letter -> Servers.header(letter, "sluice-error")))
          .filteredOn(error -> error.contains(config.topics().allowed().names().get(0)))
          .hasSize(2)
          .allSatisfy(error -> assertThat(error).contains("max.message.bytes is 1000000"));
      assertThat(sluice.hasFailed()).isFalse();
    }
  }

  @Test
  void whatFitsOnlyCompressedIsADeadLetterUnlessSluiceCompresses() throws Exception {
    SluiceConfig config = SluiceConfig.of(servers.settings(LIMITS));
    create(config.topics().allowed().names().get(0), 1_000_000);
    List<byte[]> values = List.of(event("reply", "a".repeat(1_500_000)), event("reply", "small"));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, "gzip", values);
      List<ConsumerRecord<byte[], byte[]>> out = all(config, values.size());
      assertThat(on(out, config.topics().allowed().names().get(0))).hasSize(1);
      assertThat(on(out, config.topics().deadLetter().names().get(0)))
          .singleElement()
          .satisfies(letter -> assertThat(original(config, letter)).isEqualTo(values.get(0)));
      assertThat(sluice.hasFailed()).isFalse();
    }
  }

  @Test
  void aTopicThatIsAlteredLaterIsLearntAbout() throws Exception {
    SluiceConfig config =
        SluiceConfig.of(
            servers.settings(
                SettingLines.with(
                    LIMITS,
                    "main.consumer.session.timeout.ms=6000",
                    "main.consumer.heartbeat.interval.ms=1000")));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      alter(config.topics().allowed().names().get(0), 100_000);
      List<byte[]> values =
          List.of(event("reply", noise(300_000)), event("reply", "a"), event("sms", "a"));
      publish(config, "none", values);
      List<ConsumerRecord<byte[], byte[]>> out = all(config, values.size());
      assertThat(on(out, config.topics().allowed().names().get(0))).hasSize(2);
      assertThat(on(out, config.topics().deadLetter().names().get(0))).hasSize(1);
      assertThat(sluice.hasFailed()).isFalse();
    }
  }

  /** Value of the input record from which a dead letter comes. */
  private byte[] original(SluiceConfig config, ConsumerRecord<byte[], byte[]> letter) {
    String origin = Servers.header(letter, "sluice-error-origin");
    return servers.read(config.inputTopics(), read -> read.size() == sent).stream()
        .filter(each -> Origin.of(each).toString().equals(origin))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private List<ConsumerRecord<byte[], byte[]>> all(SluiceConfig config, int count) {
    return servers.read(config.outputTopics(), read -> read.size() >= count);
  }

  private static List<ConsumerRecord<byte[], byte[]>> on(
      List<ConsumerRecord<byte[], byte[]>> out, String topic) {
    return out.stream().filter(each -> each.topic().equals(topic)).toList();
  }

  private byte[] event(String action, String more) {
    return "{\"eventId\":\"%d\",\"userId\":\"ada\",\"action\":\"%s\",\"more\":\"%s\"}"
        .formatted(random.nextLong(), action, more)
        .getBytes(UTF_8);
  }

  /** Random letters with about six bits each, which compress badly. */
  private String noise(int letters) {
    StringBuilder noise = new StringBuilder(letters);
    for (int i = 0; i < letters; i++) noise.append((char) ('0' + random.nextInt(40)));
    return noise.toString().replace('\\', '.');
  }

  private void publish(SluiceConfig config, String compression, List<byte[]> values)
      throws Exception {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", servers.kafka.bootstrapServers());
    settings.put("compression.type", compression);
    settings.put("max.request.size", 10_000_000);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> all = new ArrayList<>();
      for (byte[] value : values) {
        byte[] key = sent++ % 2 == 0 ? "ada".getBytes(UTF_8) : ("other" + sent).getBytes(UTF_8);
        all.add(producer.send(new ProducerRecord<>(config.inputTopics().get(0), key, value)));
      }
      for (Future<RecordMetadata> each : all) each.get();
    }
  }

  private void create(String topic, int bytes) throws Exception {
    NewTopic created =
        new NewTopic(topic, Optional.of(2), Optional.empty())
            .configs(Map.of("max.message.bytes", Integer.toString(bytes)));
    try (Admin admin = admin()) {
      admin.createTopics(List.of(created)).all().get();
    }
  }

  private void alter(String topic, int bytes) throws Exception {
    AlterConfigOp lower =
        new AlterConfigOp(
            new ConfigEntry("max.message.bytes", Integer.toString(bytes)),
            AlterConfigOp.OpType.SET);
    try (Admin admin = admin()) {
      admin
          .incrementalAlterConfigs(
              Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(lower)))
          .all()
          .get();
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()));
  }
}
