package io.sluice.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.rules.StartException;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Joined;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Throttled streams on a real broker, exactly once. */
@Tag("slow") // six applications on a real broker, one of them restarted
class ThrottleIT {
  private static final AtomicInteger APPLICATIONS = new AtomicInteger();
  private static EmbeddedKafka kafka;
  private static EmbeddedRedis redis;

  private final String id = "shop" + APPLICATIONS.incrementAndGet();

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    kafka =
        EmbeddedKafka.builder().settings(Map.of("group.min.session.timeout.ms", "1000")).start();
    redis = EmbeddedRedis.builder().start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
    redis.close();
  }

  private SluiceConfig config(String... settings) {
    Map<String, String> given = new HashMap<>(Map.of("sluice.topics.partitions", "3"));
    given.put("bootstrap.servers", kafka.bootstrapServers());
    given.put("application.id", id);
    given.put("state.dir", folder.toString());
    given.put("sluice.redis.uri", redis.uri());
    given.put("sluice.redis.key.prefix", id);
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      given.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return SluiceConfig.of(given);
  }

  /** Application with joins before and after the throttled stream. */
  private final class Shop implements AutoCloseable {
    final Throttle throttle;
    final KafkaStreams streams;

    Shop(SluiceConfig config) {
      throttle = Throttle.of(config);
      StreamsBuilder builder = new StreamsBuilder();
      Consumed<String, String> texts = Consumed.with(Serdes.String(), Serdes.String());
      var customers = builder.table(id + "-customers", texts);
      KStream<String, String> items =
          builder.stream(id + "-orders", texts)
              .join(
                  customers,
                  (order, customer) -> customer + "/" + order,
                  Joined.with(Serdes.String(), Serdes.String(), Serdes.String()))
              .flatMapValues(order -> List.of(order + "/a", order + "/b"));
      Throttled<String, String> throttled =
          throttle
              .with(Serdes.String(), Serdes.String())
              .by((key, item) -> Action.of(item.substring(0, item.indexOf('/')), "order"))
              .named("items")
              .apply(builder, items);
      throttled
          .allowed()
          .join(
              customers,
              (item, customer) -> item + "/" + customer,
              Joined.with(Serdes.String(), Serdes.String(), Serdes.String()))
          .to(id + "-allowed", Produced.with(Serdes.String(), Serdes.String()));
      throttled.rejected().to(id + "-rejected", Produced.with(Serdes.String(), Serdes.String()));
      throttled.odd().to(id + "-odd", Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
      streams = throttle.streams(builder.build());
      streams.start();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> streams.state() == KafkaStreams.State.RUNNING);
    }

    @Override
    public void close() {
      streams.close();
      throttle.close();
    }
  }

  private void createTopics() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      List<NewTopic> topics = new ArrayList<>();
      for (String each : List.of("orders", "customers", "allowed", "rejected", "odd")) {
        topics.add(new NewTopic(id + "-" + each, Optional.of(2), Optional.empty()));
      }
      admin.createTopics(topics).all().get();
    }
  }

  private void publish(String topic, Map<String, List<String>> byKey) throws Exception {
    List<ProducerRecord<String, String>> records = new ArrayList<>();
    byKey.forEach(
        (key, values) ->
            values.forEach(value -> records.add(new ProducerRecord<>(id + topic, key, value))));
    publish(records);
  }

  private void publish(List<ProducerRecord<String, String>> records) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "compression.type",
                "gzip",
                "max.request.size",
                8 << 20),
            new StringSerializer(),
            new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (ProducerRecord<String, String> each : records) sent.add(producer.send(each));
      for (Future<RecordMetadata> each : sent) each.get();
    }
  }

  /** Returns the committed records of a topic once there are at least this many. */
  private List<ConsumerRecord<String, String>> read(String topic, int least) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed");
    List<ConsumerRecord<String, String>> read = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(id + topic).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(read::add);
                return read.size() >= least;
              });
    }
    return read;
  }

  @ParameterizedTest
  @ValueSource(strings = {"state-store", "redis"})
  void countsAreExactHoweverTheStreamIsPartitioned(String backend) throws Exception {
    createTopics();
    Map<String, List<String>> customers = new HashMap<>();
    Map<String, List<String>> orders = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      customers.put("c" + i, List.of("ada")); // on both partitions, all of one customer
      orders.put("c" + i, List.of("1", "2"));
    }
    publish("-customers", customers);
    SluiceConfig config =
        config(
            "sluice.limits=order",
            "sluice.limit.order.quota=10/1h",
            "sluice.limit.order.algorithm=sliding-window-log",
            "sluice.limit.order.backend=" + backend);
    try (Shop shop = new Shop(config)) {
      publish("-orders", orders);
      assertThat(read("-rejected", 70)).hasSize(70);
      assertThat(read("-allowed", 10))
          .hasSize(10)
          .allSatisfy(each -> assertThat(each.value()).startsWith("ada/").endsWith("/ada"));
      assertThat(shop.streams.metrics().keySet())
          .anyMatch(each -> each.name().equals("events-total"));
    }
  }

  /** The record is compressed, so that the topic accepts it. */
  @Test
  void aRecordOfSomeMegabytesPasses() throws Exception {
    createTopics();
    publish("-customers", Map.of("c1", List.of("ada")));
    String large = "1".repeat(3 << 20);
    try (Shop shop = new Shop(config("sluice.limits=", "compression.type=gzip"))) {
      publish("-orders", Map.of("c1", List.of(large, "2")));
      assertThat(read("-allowed", 4))
          .hasSize(4)
          .anySatisfy(each -> assertThat(each.value()).contains(large));
      assertThat(shop.streams.state()).isEqualTo(KafkaStreams.State.RUNNING);
    }
    assertThat(mostBytes(id + "-items-home-repartition")).isEqualTo(16 << 20);
    assertThat(mostBytes(id + "-items-delayed")).isEqualTo(16 << 20);
  }

  private static int mostBytes(String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      var config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      return Integer.parseInt(config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
    }
  }

  /** The test driver has one clock for the whole application, and would not detect this. */
  @Test
  void neitherWhatIsOddNorTheRestOfTheApplicationMovesTheClockOfLimits() throws Exception {
    createTopics();
    publish("-customers", Map.of("c1", List.of("ada")));
    SluiceConfig config =
        config(
            "sluice.topics.partitions=1",
            "sluice.limits=order",
            "sluice.limit.order.quota=1/60s",
            "sluice.limit.order.algorithm=sliding-window-log");
    try (Shop shop = new Shop(config)) {
      publish("-orders", Map.of("c1", List.of("1")));
      assertThat(read("-rejected", 1)).hasSize(1); // the second of two items
      long aheadMs = System.currentTimeMillis() + 3_000_000;
      publish(List.of(new ProducerRecord<>(id + "-orders", null, aheadMs, "c1", "early")));
      assertThat(read("-odd", 2))
          .extracting(ConsumerRecord::value)
          .containsExactly("ada/early/a", "ada/early/b");
      publish("-orders", Map.of("c1", List.of("2")));
      assertThat(read("-rejected", 3)).hasSize(3);
      assertThat(read("-allowed", 1)).hasSize(1);
      assertThat(shop.streams.state()).isEqualTo(KafkaStreams.State.RUNNING);
    }
  }

  @Test
  void whatIsDelayedWhenTheApplicationStopsLeavesOnceItRunsAgain() throws Exception {
    createTopics();
    publish("-customers", Map.of("c1", List.of("ada"), "c2", List.of("bob")));
    SluiceConfig config =
        config(
            "sluice.limits=order",
            "sluice.limit.order.quota=1/500ms",
            "sluice.limit.order.exceeded=delay",
            "consumer.session.timeout.ms=3000", // until the group removes the first run's member
            "consumer.heartbeat.interval.ms=1000");
    List<String> five = IntStream.range(0, 5).mapToObj(Integer::toString).toList();
    try (Shop shop = new Shop(config)) {
      publish("-orders", Map.of("c1", five, "c2", five));
      read("-allowed", 4);
      shop.streams.close();
    }
    assertThat(read("-allowed", 4)).hasSizeLessThan(20);
    try (Shop again = new Shop(config)) {
      List<ConsumerRecord<String, String>> allowed = read("-allowed", 20);
      assertThat(allowed).extracting(ConsumerRecord::value).doesNotHaveDuplicates().hasSize(20);
      for (String customer : List.of("ada", "bob")) {
        assertThat(
                allowed.stream()
                    .map(ConsumerRecord::value)
                    .filter(each -> each.startsWith(customer)))
            .as("in order")
            .containsExactlyElementsOf(
                five.stream()
                    .flatMap(order -> List.of("a", "b").stream().map(item -> order + "/" + item))
                    .map(item -> customer + "/" + item + "/" + customer)
                    .toList());
      }
      assertThat(allowed)
          .allSatisfy(
              each ->
                  assertThat(new String(each.headers().lastHeader("sluice-verdict").value(), UTF_8))
                      .isEqualTo("allowed"));
      assertThat(again.streams.state()).isEqualTo(KafkaStreams.State.RUNNING);
    }
  }

  @Test
  void aTopicOfDelayedRecordsWithAnotherNumberOfPartitionsIsRefused() throws Exception {
    createTopics();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(
              List.of(new NewTopic(id + "-items-delayed", Optional.of(2), Optional.empty())))
          .all()
          .get();
    }
    SluiceConfig config = config("sluice.limits=order", "sluice.limit.order.quota=1/1s");
    assertThatThrownBy(() -> new Shop(config))
        .isInstanceOf(StartException.class)
        .hasMessage(
            id
                + "-items-delayed has 2 partitions, and sluice.topics.partitions is 3: both must"
                + " be the same number, which must not change while events are delayed");
  }
}
