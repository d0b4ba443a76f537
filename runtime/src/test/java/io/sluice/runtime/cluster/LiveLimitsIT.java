package io.sluice.runtime.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.live.LiveLimits;
import io.sluice.rules.StartException;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.testing.LogLines;
import io.sluice.testing.Scrape;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of revisions on a real topic that an instance follows. */
@Tag("slow") // brokers stop and start again
class LiveLimitsIT {
  private static final Duration MOST = Duration.ofMinutes(1);

  @TempDir private Path data;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final Servers servers = Servers.shared();
  private final Map<String, String> settings =
      servers.settings(
          "sluice.limits=reply", "sluice.limit.reply.quota=5/60s", "sluice.http.port=0");

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) opened.get(i).close();
  }

  /** Limits of one instance. */
  private final class Instance {
    final SluiceConfig config = SluiceConfig.of(settings);
    final Monitoring monitoring = Monitoring.open(config, List.of());
    final List<String> warnings;
    final LiveLimits limits;

    Instance() {
      opened.add(monitoring);
      Cluster cluster = Cluster.open(config);
      opened.add(cluster);
      warnings = cluster.prepareTopics();
      limits =
          cluster
              .limitsTopic()
              .map(topic -> LiveLimits.follow(config.limitsConfig(), topic, monitoring.limits()))
              .orElseGet(() -> LiveLimits.unchanging(config.limitsConfig()));
      opened.add(limits);
    }

    long permits() {
      return limits.now().at(System.currentTimeMillis()).all().get(0).rule().quota().permits();
    }

    void eventually(long permits) {
      LiveLimitsIT.eventually(() -> assertThat(permits()).isEqualTo(permits));
    }

    double metric(String name, String... labels) throws Exception {
      return Scrape.of(monitoring.scrape()).value(name, labels);
    }
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(MOST).untilAsserted(assertion);
  }

  private String topic() {
    return settings.get("application.id") + "-limits";
  }

  /** Writes records; the arguments are keys and values alternately. */
  private void write(String... keysAndValues) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      keys.add(keysAndValues[i].getBytes(UTF_8));
      String value = keysAndValues[i + 1];
      values.add(value == null ? null : value.getBytes(UTF_8));
    }
    servers.publish(topic(), keys, values);
  }

  private static String quota(int permits) {
    return "{\"limit\":\"reply\",\"set\":{\"quota\":\"" + permits + "/60s\"}}";
  }

  private void create(int partitions, Map<String, String> configs) throws Exception {
    try (Admin admin = admin()) {
      NewTopic topic = new NewTopic(topic(), Optional.of(partitions), Optional.empty());
      admin.createTopics(List.of(topic.configs(configs))).all().get();
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", settings.get("bootstrap.servers")));
  }

  @Test
  void whatIsThereHoldsFromTheStartAndWhatComesFollows() throws Exception {
    Instance first = new Instance();
    assertThat(first.warnings).isEmpty();
    assertThat(first.permits()).isEqualTo(5);
    write("a", quota(7), "b", quota(8));
    first.eventually(8);
    write(
        "b", null, "garbage", "\u0000", "c", "{\"limit\":\"nobody\",\"set\":{\"quota\":\"1/1s\"}}");
    first.eventually(7);

    Instance second = new Instance();
    assertThat(second.permits()).isEqualTo(7);
    eventually(
        () -> {
          assertThat(second.metric("sluice_limit_revisions_total", "outcome=\"unreadable\""))
              .isEqualTo(1);
          assertThat(second.metric("sluice_limit_revisions_total", "outcome=\"refused\""))
              .isEqualTo(1);
          assertThat(second.metric("sluice_limit_revisions_total", "outcome=\"applied\""))
              .isEqualTo(1);
          String digest = second.limits.now().digest(System.currentTimeMillis());
          assertThat(second.metric("sluice_limits_info", "digest=\"" + digest + "\"")).isEqualTo(1);
          assertThat(first.metric("sluice_limits_info", "digest=\"" + digest + "\"")).isEqualTo(1);
        });
    assertThat(second.metric("sluice_limits_current")).isEqualTo(1);
  }

  @Test
  void manyRevisionsAreThereAtTheStart() throws Exception {
    new Instance();
    String[] many = new String[50_000];
    for (int i = 0; i < many.length; i += 2) {
      many[i] = "r" + i;
      many[i + 1] =
          "{\"limit\":\"reply\",\"for\":{\"userId\":\"u%d\"},\"set\":{\"quota\":\"9/60s\"}}"
              .formatted(i);
    }
    write(many);
    Instance late = new Instance();
    assertThat(late.limits.now().size()).isEqualTo(many.length / 2);
  }

  @Test
  void theTopicIsMadeCompactedAndOfOnePartition() throws Exception {
    settings.put("sluice.topics.partitions", "3");
    new Instance();
    try (Admin admin = admin()) {
      assertThat(
              admin
                  .describeTopics(List.of(topic()))
                  .allTopicNames()
                  .get()
                  .get(topic())
                  .partitions())
          .hasSize(1);
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic());
      assertThat(
              admin
                  .describeConfigs(List.of(resource))
                  .all()
                  .get()
                  .get(resource)
                  .get(TopicConfig.CLEANUP_POLICY_CONFIG)
                  .value())
          .isEqualTo("compact");
    }
  }

  @Test
  void severalPartitionsAreRefused() throws Exception {
    create(2, Map.of());
    assertThatThrownBy(Instance::new)
        .isInstanceOf(StartException.class)
        .hasMessage(
            "the topic of revisions must have one partition: "
                + topic()
                + " has 2; recreate it with one partition, or set sluice.topics.limits to another"
                + " topic");
  }

  @Test
  void aTopicThatForgetsIsAWarning() throws Exception {
    create(1, Map.of());
    assertThat(new Instance().warnings)
        .containsExactly(
            "the topic of revisions, "
                + topic()
                + ", has cleanup.policy=delete: revisions are deleted after its retention time; set"
                + " cleanup.policy=compact");
  }

  @Test
  void withoutATopicThatMayBeMadeLimitsAreThoseOfTheFile() {
    new Instance();
    settings.put("sluice.topics.limits", "none-of-" + topic());
    settings.put("sluice.topics.create", "false");
    Instance without = new Instance();
    assertThat(without.warnings)
        .containsExactly(
            "live limits are off: there is no topic none-of-"
                + topic()
                + " (sluice.topics.limits), and sluice.topics.create=false");
    assertThat(without.permits()).isEqualTo(5);
  }

  @Test
  void aTopicThatIsMadeAnewCountsFromItsBeginning() throws Exception {
    Instance instance = new Instance();
    write("a", quota(7), "b", quota(8));
    instance.eventually(8);
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(topic())).all().get();
    }
    eventually(this::createAgain);
    write("a", quota(9));
    instance.eventually(9);
    assertThat(instance.limits.now().size()).isEqualTo(1);
  }

  /** Creates the topic as soon as the broker has deleted the previous one. */
  private void createAgain() throws Exception {
    try {
      create(1, Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact"));
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isNotInstanceOf(TopicExistsException.class);
      throw e;
    }
  }

  @Tag("full") // a broker stops and starts again
  @Test
  void whileNoBrokerAnswersItGoesOnAndSaysSo() throws Exception {
    EmbeddedKafka broker = EmbeddedKafka.builder().data(data).start();
    settings.put("bootstrap.servers", broker.bootstrapServers());
    try (LogLines lines = LogLines.of("io.sluice.live.Staleness")) {
      Instance instance = new Instance();
      broker.close();
      eventually(() -> assertThat(lines.lines()).hasSize(1));
      assertThat(lines.lines().get(0))
          .startsWith("WARN the topic " + topic() + " cannot be read; until it can, limits are");
      assertThat(instance.permits()).isEqualTo(5);
      assertThat(instance.metric("sluice_limits_current")).isZero();
      broker = EmbeddedKafka.builder().port(broker.port()).data(data).start();
      eventually(() -> assertThat(lines.lines()).hasSize(2));
      assertThat(instance.metric("sluice_limits_current")).isEqualTo(1);
    } finally {
      close();
      opened.clear();
      broker.close();
    }
  }

  @Test
  void instancesWithOtherLimitsKnowOfEachOther() throws Exception {
    Instance one = new Instance();
    eventually(() -> assertThat(announced()).isEqualTo(1));
    settings.put("sluice.limit.reply.quota", "6/60s");
    try (LogLines lines = LogLines.of("io.sluice.live.InstanceDigests")) {
      Instance other = new Instance();
      eventually(() -> assertThat(lines.lines()).hasSize(1));
      assertThat(lines.lines().get(0))
          .startsWith("WARN 1 of 1 other instances have other limits in their files: reply (here: ")
          .contains("5 in 60 s", "6 in 60 s");
      eventually(() -> assertThat(one.metric("sluice_limits_differing_instances")).isEqualTo(1));
      other.limits.close();
      eventually(() -> assertThat(lines.lines()).hasSize(2));
      assertThat(lines.lines().get(1)).startsWith("INFO all instances have the same limits");
    }
  }

  private int announced() {
    return servers.read(List.of(topic()), read -> !read.isEmpty()).size();
  }

  @Test
  void whoClosesEndsItsThreads() throws Exception {
    Instance instance = new Instance();
    instance.limits.close();
    eventually(
        () ->
            assertThat(
                    Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("sluice-limits")))
                .isEmpty());
    assertThat(instance.permits()).isEqualTo(5);
  }
}
