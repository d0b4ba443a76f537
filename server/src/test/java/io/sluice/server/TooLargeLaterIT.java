package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Servers;
import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of a topic whose size limit is lowered while an instance runs: a record beyond it that has
 * passed the intake becomes one dead letter, and later records are processed.
 */
@Tag("slow") // topics change while events wait, under both guarantees
class TooLargeLaterIT {
  private static final int TIGHT = 100_000;
  private static final int MOST_LETTERS = 20;
  private static final Predicate<String> NAMES_SIZE =
      error -> error.contains("its max.message.bytes is " + TIGHT);
  private static final String[] LIMITS = {
    "sluice.limits=reply,sms,mail",
    "sluice.limit.reply.match.action=reply",
    "sluice.limit.reply.quota=100/60s",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/4s",
    "sluice.limit.sms.exceeded=delay",
    "sluice.limit.mail.match.action=mail",
    "sluice.limit.mail.quota=1/4s",
    "sluice.limit.mail.exceeded=retry",
    "sluice.topics.partitions=2",
    "main.consumer.session.timeout.ms=6000",
    "main.consumer.heartbeat.interval.ms=1000"
  };

  private final Servers servers = Servers.shared();

  private static byte[] event(String id, String action, int bytes) {
    return "{\"eventId\":\"%s\",\"userId\":\"ada\",\"action\":\"%s\",\"more\":\"%s\"}"
        .formatted(id, action, "m".repeat(bytes))
        .getBytes(UTF_8);
  }

  private static String id(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.value(), 0, 60, UTF_8).split("\"", 5)[3];
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()));
  }

  private void shrink(String topic) throws Exception {
    ConfigEntry entry = new ConfigEntry("max.message.bytes", Integer.toString(TIGHT));
    AlterConfigOp lower = new AlterConfigOp(entry, AlterConfigOp.OpType.SET);
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin admin = admin()) {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(lower))).all().get();
    }
  }

  private void publish(SluiceConfig config, int partition, byte[]... values) throws Exception {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", servers.kafka.bootstrapServers());
    settings.put("max.request.size", 40_000_000);
    settings.put("buffer.memory", 80_000_000L);
    settings.put("compression.type", "gzip");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (byte[] value : values) {
        String topic = config.inputTopics().get(0);
        producer.send(new ProducerRecord<>(topic, partition, null, value)).get();
      }
    }
  }

  /** Events of a topic, as soon as there are so many; with at-least-once one may occur twice. */
  private Set<String> read(String topic, int count) {
    return ids(servers.read(List.of(topic), read -> ids(read).size() >= count));
  }

  private static Set<String> ids(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(TooLargeLaterIT::id).collect(Collectors.toSet());
  }

  private static String allowed(SluiceConfig config) {
    return config.topics().allowed().names().get(0);
  }

  private void assertOneLetter(SluiceConfig config, String id, String topic) {
    String letters = config.topics().deadLetter().names().get(0);
    assertThat(servers.read(List.of(letters), read -> !read.isEmpty()))
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(id(letter)).isEqualTo(id);
              assertThat(Servers.header(letter, "sluice-error"))
                  .contains(" bytes are too many for " + topic + ": ");
            });
  }

  /** Sends from both partitions, of which one is not the user's home. */
  @ParameterizedTest
  @ValueSource(strings = {"exactly_once_v2", "at_least_once"})
  void anEventThatHopsHome(String guarantee) throws Exception {
    SluiceConfig config =
        SluiceConfig.of(
            servers.settings(
                SettingLines.with(
                    LIMITS, "processing.guarantee=" + guarantee, "commit.interval.ms=100")));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      shrink(allowed(config));
      for (int i = 0; i < 2; i++) {
        publish(
            config,
            i,
            event("large" + i, "reply", 300_000),
            event("behind" + i, "reply", 10),
            event("taken" + i, "reply", TIGHT - 2_000));
      }
      assertThat(read(allowed(config), 4))
          .containsExactlyInAnyOrder("behind0", "taken0", "behind1", "taken1");
      String letters = config.topics().deadLetter().names().get(0);
      assertThat(read(letters, 2)).containsExactlyInAnyOrder("large0", "large1");
      assertThat(sluice.hasFailed()).isFalse();
    }
  }

  /** The size is read long after the start, when the group is no longer watched. */
  @Test
  void theSizeIsReadAgainThatTheTopicHas() throws Exception {
    SluiceConfig config = SluiceConfig.of(servers.settings(LIMITS));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, 0, event("before", "reply", 10));
      assertThat(read(allowed(config), 1)).containsExactly("before");
      shrink(allowed(config));
      List<String> errors = new ArrayList<>();
      for (int i = 1; i <= MOST_LETTERS && errors.stream().noneMatch(NAMES_SIZE); i++) {
        publish(config, 0, event("large" + i, "reply", 300_000));
        String letters = config.topics().deadLetter().names().get(0);
        int count = i;
        servers
            .read(List.of(letters), read -> read.size() >= count)
            .forEach(letter -> errors.add(Servers.header(letter, "sluice-error")));
      }
      assertThat(errors).anyMatch(NAMES_SIZE);
    }
  }

  @Tag("full") // topics change while events wait
  @ParameterizedTest
  @ValueSource(strings = {"sms", "mail"})
  void anEventThatWaits(String action) throws Exception {
    SluiceConfig config = SluiceConfig.of(servers.settings(LIMITS));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, 0, event("first", action, 9), event("large", action, 300_000));
      publish(config, 0, event("behind", action, 10));
      assertThat(read(config.topics().delayed(), 2)).contains("large");
      shrink(allowed(config));

      assertThat(read(allowed(config), 2)).containsExactlyInAnyOrder("first", "behind");
      assertOneLetter(config, "large", allowed(config));
      assertThat(sluice.hasFailed()).isFalse();
    }
  }

  @Tag("full") // an instance starts again while events wait
  @Test
  void anEventThatWaitsForAnInstanceThatStartsAnew() throws Exception {
    SluiceConfig config = SluiceConfig.of(servers.settings(LIMITS));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, 0, event("first", "sms", 9), event("large", "sms", 300_000));
      publish(config, 0, event("behind", "sms", 10));
      assertThat(read(config.topics().delayed(), 2)).contains("large", "behind");
    }
    shrink(allowed(config));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      assertThat(read(allowed(config), 2)).containsExactlyInAnyOrder("first", "behind");
      assertOneLetter(config, "large", allowed(config));
    }
  }
}
