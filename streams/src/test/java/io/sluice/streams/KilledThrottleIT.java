package io.sluice.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills the process of a throttled stream like a machine that fails, and starts it again. */
@Tag("full") // kills processes, and the broker must notice that they are gone
class KilledThrottleIT {
  private static final int USERS = 4;

  /** Number of each user's mails in a lot, enough that the kill comes in the middle of them. */
  private static final int MAILS = 30;

  private static final int ORDERS = 3_000;
  private static final int QUOTA = 5;
  private static final long MAIL_PERIOD_MS = 500;
  private static final long ORDER_PERIOD_MS = 100;

  private static EmbeddedKafka kafka;

  @TempDir private Path folder;
  private Map<String, String> settings;
  private String id;
  private final List<ProducerRecord<String, String>> published = new ArrayList<>();
  private final Map<TopicPartition, List<ConsumerRecord<String, String>>> read = new HashMap<>();

  @BeforeAll
  static void start() {
    // The broker soon aborts the transaction of a killed process.
    kafka =
        EmbeddedKafka.builder()
            .settings(
                Map.of(
                    "group.min.session.timeout.ms",
                    "1000",
                    "transaction.abort.timed.out.transaction.cleanup.interval.ms",
                    "500"))
            .start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void everyRecordLeavesOnceAndNoWindowHasMoreThanTheQuota(String store) throws Exception {
    id = "killed-" + store;
    settings = settings(store);
    createTopics();
    long beginMs = System.currentTimeMillis() - 60_000;
    try (KafkaConsumer<String, String> consumer = consumer()) {
      for (int round = 0; round < 2; round++) {
        try (ChildThrottle child = ChildThrottle.start(settings, folder)) {
          int before = count(consumer);
          publish(beginMs + round * 15_000);
          awaitLeft(consumer, before + USERS * QUOTA + 1);
          child.kill();
        }
        assertThat(count(consumer)).as("killed in the middle").isLessThan(published.size());
      }
      try (ChildThrottle child = ChildThrottle.start(settings, folder)) {
        publish(beginMs + 30_000);
        awaitLeft(consumer, published.size());
        child.kill();
      }
      readToTheEnd(consumer);
    }
    assertEachHasLeftOnce();
    assertThat(values(read("-rejected"))).isNotEmpty().allMatch(each -> each.startsWith("order"));
    assertThat(read("-allowed")).anyMatch(each -> header(each, "sluice-release-at-ms").isPresent());
    assertNoWindowIsOver("order", ORDER_PERIOD_MS);
    assertNoWindowIsOver("mail", MAIL_PERIOD_MS);
  }

  private void assertEachHasLeftOnce() {
    Set<String> once = new HashSet<>();
    List<String> again = values(left()).stream().filter(each -> !once.add(each)).toList();
    assertThat(again).as("more than once").isEmpty();
    List<String> never =
        published.stream().map(ProducerRecord::value).filter(each -> !once.contains(each)).toList();
    assertThat(never).as("not at all").isEmpty();
    assertThat(once).hasSameSizeAs(published);
  }

  private Map<String, String> settings(String store) {
    Map<String, String> given = new HashMap<>();
    given.put("bootstrap.servers", kafka.bootstrapServers());
    given.put("application.id", id);
    given.put("state.dir", folder.resolve("state").toString());
    given.put("processing.guarantee", "exactly_once_v2");
    given.put("commit.interval.ms", "100");
    given.put("consumer.session.timeout.ms", "3000");
    given.put("consumer.heartbeat.interval.ms", "1000");
    given.put("producer.transaction.timeout.ms", "5000");
    given.put("sluice.topics.partitions", "2");
    given.put("sluice.state.store", store);
    given.put("sluice.time.lateness", "10m");
    given.put("sluice.limits", "order,mail");
    given.put("sluice.limit.order.match.action", "order");
    given.put("sluice.limit.order.quota", QUOTA + "/" + ORDER_PERIOD_MS + "ms");
    given.put("sluice.limit.order.algorithm", "sliding-window-log");
    given.put("sluice.limit.mail.match.action", "mail");
    given.put("sluice.limit.mail.quota", QUOTA + "/" + MAIL_PERIOD_MS + "ms");
    given.put("sluice.limit.mail.algorithm", "sliding-window-log");
    given.put("sluice.limit.mail.exceeded", "delay");
    given.put("sluice.limit.mail.delay.max", "10m");
    return given;
  }

  private void createTopics() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      List<NewTopic> topics = new ArrayList<>();
      for (String each : List.of("-actions", "-allowed", "-rejected")) {
        topics.add(new NewTopic(id + each, Optional.of(2), Optional.empty()));
      }
      admin.createTopics(topics).all().get();
    }
  }

  /** Publishes orders that happened in the last seconds, and mails that happen now. */
  private void publish(long fromMs) throws Exception {
    int lot = published.size();
    List<ProducerRecord<String, String>> records = new ArrayList<>();
    for (int i = 0; i < ORDERS; i++) {
      for (int user = 0; user < USERS; user++) {
        String order = "order/u" + user + "/" + lot + "-" + i;
        records.add(new ProducerRecord<>(id + "-actions", null, fromMs + 5 * i, "u" + user, order));
        if (i >= MAILS) continue;
        String mail = "mail/u" + user + "/" + lot + "-" + i;
        records.add(new ProducerRecord<>(id + "-actions", "u" + user, mail));
      }
    }
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 5),
            new StringSerializer(),
            new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (ProducerRecord<String, String> each : records) sent.add(producer.send(each));
      for (Future<RecordMetadata> each : sent) each.get();
    }
    published.addAll(records);
  }

  private KafkaConsumer<String, String> consumer() {
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
            new StringDeserializer(),
            new StringDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : List.of("-allowed", "-rejected")) {
      for (int i = 0; i < 2; i++) partitions.add(new TopicPartition(id + topic, i));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  private void poll(KafkaConsumer<String, String> consumer) {
    for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(100))) {
      read.computeIfAbsent(
              new TopicPartition(each.topic(), each.partition()), p -> new ArrayList<>())
          .add(each);
    }
  }

  private int count(KafkaConsumer<String, String> consumer) {
    poll(consumer);
    return left().size();
  }

  private void awaitLeft(KafkaConsumer<String, String> consumer, int least) {
    await().atMost(Duration.ofMinutes(2)).until(() -> count(consumer) >= least);
  }

  /** Reads up to the end offsets, to find records that left twice. */
  private void readToTheEnd(KafkaConsumer<String, String> consumer) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              poll(consumer);
              return ends.entrySet().stream()
                  .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
            });
  }

  private List<ConsumerRecord<String, String>> left() {
    return read.values().stream().flatMap(List::stream).toList();
  }

  private List<ConsumerRecord<String, String>> read(String topic) {
    return left().stream().filter(each -> each.topic().equals(id + topic)).toList();
  }

  private static List<String> values(List<ConsumerRecord<String, String>> records) {
    return records.stream().map(ConsumerRecord::value).toList();
  }

  private void assertNoWindowIsOver(String action, long periodMs) {
    Map<String, List<Long>> times =
        read("-allowed").stream()
            .filter(each -> each.value().startsWith(action))
            .collect(groupingBy(ConsumerRecord::key, mapping(KilledThrottleIT::instant, toList())));
    assertThat(times).hasSize(USERS);
    times.forEach(
        (user, instants) -> {
          List<Long> sorted = instants.stream().sorted().toList();
          for (int i = 0; i + QUOTA < sorted.size(); i++) {
            assertThat(sorted.get(i + QUOTA) - sorted.get(i))
                .as("%s of %s from %d", action, user, sorted.get(i))
                .isGreaterThanOrEqualTo(periodMs);
          }
        });
  }

  /**
   * Returns the time at which the record was admitted, ms: its timestamp, or its slot if it was
   * delayed.
   */
  private static long instant(ConsumerRecord<String, String> record) {
    return header(record, "sluice-release-at-ms").map(Long::parseLong).orElse(record.timestamp());
  }

  private static Optional<String> header(ConsumerRecord<String, String> record, String name) {
    Header header = record.headers().lastHeader(name);
    return Optional.ofNullable(header).map(each -> new String(each.value(), UTF_8));
  }
}
