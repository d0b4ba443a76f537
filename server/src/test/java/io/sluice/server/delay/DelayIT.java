package io.sluice.server.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.RawRecord;
import io.sluice.rules.StartException;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Origin;
import io.sluice.server.ChildSluice;
import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of the delay path with a real broker, exactly once and read committed, and a real Redis.
 */
@Tag("slow") // instances are killed, and others take over delayed events
class DelayIT {
  private static final long MOST_NANOS = Duration.ofMinutes(3).toNanos();
  private static final String[] SMS = {
    "sluice.limits=sms",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/100ms",
    "sluice.limit.sms.exceeded=delay",
    "num.stream.threads=2",
    "producer.transaction.timeout.ms=3000",
    "main.consumer.session.timeout.ms=3000",
    "main.consumer.heartbeat.interval.ms=1000"
  };

  private final Servers servers = Servers.shared();

  static Stream<Arguments> backendsAndStores() {
    return Servers.variants(
        Arguments.of("state-store", "memory"),
        Arguments.of("state-store", "rocksdb"),
        Arguments.of("redis", "memory"));
  }

  @ParameterizedTest
  @MethodSource("backendsAndStores")
  void allLeaveOnceInOrderAndNoneEarly(String backend, String store) throws Exception {
    Map<String, String> settings =
        servers.settings(
            SettingLines.with(
                SMS,
                "sluice.limit.sms.backend=" + backend,
                "sluice.state.store=" + store,
                "sluice.redis.timeout=5s"));
    SluiceConfig config = timedTopics(settings);
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      burst(config, "one instance, " + backend + ", " + store, half -> {});
    }
  }

  static Stream<String> stores() {
    return Servers.variants("memory", "rocksdb");
  }

  @Tag("full") // an instance is killed, and its session must end
  @ParameterizedTest
  @MethodSource("stores")
  void theSameIfTheInstanceIsKilledHalfWayAndStartedAgain(String store) throws Exception {
    Map<String, String> settings =
        servers.settings(SettingLines.with(SMS, "sluice.state.store=" + store));
    SluiceConfig config = timedTopics(settings);
    List<ChildSluice> children = new ArrayList<>();
    try {
      children.add(ChildSluice.start(settings));
      burst(
          config,
          "killed and restarted, " + store,
          half -> {
            children.get(0).kill();
            children.add(ChildSluice.start(settings));
          });
    } finally {
      children.forEach(ChildSluice::close);
    }
  }

  @Tag("full") // an instance is killed, and its session must end
  @Test
  void theSameIfOneOfTwoInstancesDies() throws Exception {
    Map<String, String> settings = servers.settings(SMS);
    SluiceConfig config = timedTopics(settings);
    Map<String, String> other = new HashMap<>(settings);
    other.put("state.dir", Servers.folder().toString());
    try (ChildSluice first = ChildSluice.start(settings);
        ChildSluice second = ChildSluice.start(other)) {
      burst(config, "one of two killed", half -> first.kill());
      assertThat(second.log()).doesNotContain("ERROR");
    }
  }

  /**
   * Creates the allowed topic with the broker's time as timestamps; the instance creates the
   * others.
   */
  private SluiceConfig timedTopics(Map<String, String> settings) throws Exception {
    SluiceConfig config = SluiceConfig.of(settings);
    NewTopic allowed =
        new NewTopic(config.topics().allowed().names().get(0), Optional.of(6), Optional.empty())
            .configs(Map.of("message.timestamp.type", "LogAppendTime"));
    create(allowed);
    return config;
  }

  private void create(NewTopic topic) throws Exception {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      admin.createTopics(List.of(topic)).all().get();
    }
  }

  private void burst(SluiceConfig config, String title, Consumer<Integer> halfWay)
      throws Exception {
    Bursts bursts = new Bursts(1_000, 50, 100, System.currentTimeMillis());
    servers.publish(config.inputTopics().get(0), bursts.keys(), bursts.values());
    List<ConsumerRecord<byte[], byte[]>> allowed =
        read(config.topics().allowed().names().get(0), bursts.events(), halfWay);
    bursts.check(allowed);
    System.out.println("late, " + title + ": " + bursts.lateness(allowed));
  }

  /** Reads committed records until there are so many, and a little longer to find surplus ones. */
  private List<ConsumerRecord<byte[], byte[]>> read(
      String topic, int count, Consumer<Integer> halfWay) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            servers.kafka.bootstrapServers(),
            "isolation.level",
            "read_committed");
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      boolean half = false;
      long startNanos = System.nanoTime();
      while (read.size() < count && System.nanoTime() - startNanos < MOST_NANOS) {
        consumer.poll(Duration.ofMillis(100)).forEach(read::add);
        if (!half && read.size() >= count / 2) {
          half = true;
          halfWay.accept(read.size());
        }
      }
      for (int i = 0; i < 10; i++) consumer.poll(Duration.ofMillis(100)).forEach(read::add);
    }
    assertThat(read).hasSize(count);
    return read;
  }

  /** Simulates a standby that was suspended for longer than the topic keeps tombstones. */
  @Tag("full") // an instance is killed, and its session must end
  @Test
  void whatHasLeftDoesNotLeaveAgainWhenAStoreInMemoryMissesItsTombstone() throws Exception {
    Map<String, String> settings = servers.settings(SMS);
    SluiceConfig config = timedTopics(settings);
    Bursts first;
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      // In the future, since otherwise a busy machine could find all of them due and store none.
      first = new Bursts(100, 20, 100, System.currentTimeMillis() + 30_000);
      servers.publish(config.inputTopics().get(0), first.keys(), first.values());
      first.check(read(config.topics().allowed().names().get(0), first.events(), half -> {}));
    }
    String changelog = config.applicationId() + "-" + Nodes.WAITING + "-changelog";
    List<ConsumerRecord<byte[], byte[]>> rows =
        waited(servers.read(List.of(changelog), read -> waited(read).size() >= 1_900));
    assertThat(rows).isNotEmpty();
    writeAgain(rows);
    Bursts second = new Bursts(100, 20, 100, first.startMs() + 10_000);
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      servers.publish(config.inputTopics().get(0), second.keys(), second.values());
      List<ConsumerRecord<byte[], byte[]>> all =
          read(
              config.topics().allowed().names().get(0),
              first.events() + second.events(),
              half -> {});
      second.check(
          all.stream()
              .filter(each -> new String(each.value(), UTF_8).contains(":" + second.startMs()))
              .toList());
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> waited(
      List<ConsumerRecord<byte[], byte[]>> changelog) {
    return changelog.stream()
        .filter(each -> each.value() != null && each.key().length > 1) // no position row
        .toList();
  }

  private void writeAgain(List<ConsumerRecord<byte[], byte[]>> records) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", servers.kafka.bootstrapServers());
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (ConsumerRecord<byte[], byte[]> each : records) {
        sent.add(
            producer.send(
                new ProducerRecord<>(each.topic(), each.partition(), each.key(), each.value())));
      }
      for (Future<RecordMetadata> each : sent) each.get();
    }
  }

  @Test
  void retriesAreMeteredAgainUntilTheyPass() throws Exception {
    Map<String, String> settings =
        servers.settings(
            "sluice.limits=stored,remote",
            "sluice.limit.stored.match.action=stored",
            "sluice.limit.stored.quota=5/1s",
            "sluice.limit.stored.exceeded=retry",
            "sluice.limit.stored.retry.attempts=100",
            "sluice.limit.remote.match.action=remote",
            "sluice.limit.remote.quota=5/1s",
            "sluice.limit.remote.backend=redis",
            "sluice.limit.remote.exceeded=retry",
            "sluice.limit.remote.retry.attempts=2",
            "sluice.limit.remote.algorithm=sliding-window-log");
    SluiceConfig config = SluiceConfig.of(settings);
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      for (String action : List.of("stored", "remote")) {
        keys.add(null);
        values.add(
            "{\"eventId\":\"%d\",\"userId\":\"ann\",\"action\":\"%s\",\"occurredAt\":%d}"
                .formatted(i, action, System.currentTimeMillis())
                .getBytes(UTF_8));
      }
    }
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      servers.publish(config.inputTopics().get(0), keys, values);
      HomePartitioner home = new HomePartitioner(Field.USER_ID, 6);
      EventRecord any = new EventRecord(values.get(0));
      any.opened(
          config.eventDecoder().decode(RawRecord.ofValue(values.get(0), Origin.UNKNOWN, 0)),
          Origin.UNKNOWN,
          0);
      assertThat(servers.read(List.of(config.topics().delayed()), read -> read.size() >= 20))
          .allMatch(each -> each.partition() == home.of(any));
      List<ConsumerRecord<byte[], byte[]>> out =
          servers.read(config.outputTopics(), read -> read.size() >= values.size());
      assertThat(out).hasSize(values.size());
      assertThat(count(out, "stored", "allowed")).isEqualTo(15);
      assertThat(count(out, "remote", "allowed")).isEqualTo(10);
      assertThat(count(out, "remote", "rejected")).isEqualTo(5);
      assertThat(out)
          .filteredOn(each -> Servers.header(each, "sluice-verdict").equals("rejected"))
          .allMatch(each -> Servers.header(each, "sluice-reason").equals("attempts-exhausted"));
    }
  }

  private static long count(
      List<ConsumerRecord<byte[], byte[]>> out, String action, String verdict) {
    return out.stream()
        .filter(each -> new String(each.value(), UTF_8).contains("\"" + action + "\""))
        .filter(each -> Servers.header(each, "sluice-verdict").equals(verdict))
        .count();
  }

  @Tag("full") // measures under load
  @Test
  void underNormalLoadAnEventIsLateByATickAndACommit() throws Exception {
    SluiceConfig config =
        timedTopics(servers.settings(SettingLines.with(SMS, "num.stream.threads=1")));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      Bursts warming = new Bursts(100, 20, 100, System.currentTimeMillis() - 60_000);
      servers.publish(config.inputTopics().get(0), warming.keys(), warming.values());
      read(config.topics().allowed().names().get(0), warming.events(), half -> {});
      Bursts bursts = new Bursts(10, 30, 100, System.currentTimeMillis());
      servers.publish(config.inputTopics().get(0), bursts.keys(), bursts.values());
      List<ConsumerRecord<byte[], byte[]>> all =
          read(
              config.topics().allowed().names().get(0),
              warming.events() + bursts.events(),
              half -> {});
      List<ConsumerRecord<byte[], byte[]>> normal =
          all.stream()
              .filter(each -> new String(each.value(), UTF_8).contains(":" + bursts.startMs()))
              .toList();
      bursts.check(normal);
      System.out.println("late, normal load: " + bursts.lateness(normal));
    }
  }

  @Test
  void theTopicOfDelayedEventsHasAsManyPartitionsAsTheInput() throws Exception {
    Map<String, String> settings = servers.settings(SMS);
    SluiceConfig config = SluiceConfig.of(settings);
    create(new NewTopic(config.topics().delayed(), Optional.of(3), Optional.empty()));
    assertThatThrownBy(() -> Sluice.start(config).close())
        .isInstanceOf(StartException.class)
        .hasMessageContaining(config.topics().delayed() + " has 3")
        .hasMessageContaining(config.topics().inputs().get(0) + " has 6");
  }
}
