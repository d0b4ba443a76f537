package io.sluice.topology.prefetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Origin;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.testing.Servers;
import io.sluice.topology.TestEvent;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.delay.DelayPath;
import io.sluice.topology.intake.Arrivals;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metering.Meters;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.RedisBreaker;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.StoreBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which questions are held while Redis is unavailable. */
class PrefetcherTest {
  private static final int EVENTS = 5_000;

  private final AtomicInteger pauses = new AtomicInteger();
  private RedisMeter redis;
  private RedisBreaker breaker;
  private SluiceConfig config;
  private EventOpener opener;
  private Instruments instruments;
  private Prefetcher prefetcher;
  private DelayPath path;

  @BeforeEach
  void withoutRedis() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    redis = new RedisMeter(RedisSettings.of("redis://127.0.0.1:" + closed));
    config =
        SluiceConfig.of(
            ConfigText.without(
                "sluice.redis.uri=redis://127.0.0.1:" + closed,
                "sluice.time.lateness=9d",
                "sluice.limits=waits,passes,shapes,skips,rejects,opens",
                "sluice.limit.opens.quota=5/60s",
                "sluice.limit.opens.match.action=opens",
                "sluice.limit.opens.open=mon 08:00-09:00",
                "sluice.limit.opens.exceeded=delay",
                "sluice.limit.opens.delay.max=9d",
                "sluice.limit.opens.backend=redis",
                "sluice.limit.skips.quota=5/60s",
                "sluice.limit.skips.match.action=skips",
                "sluice.limit.skips.key=target",
                "sluice.limit.skips.backend=redis",
                "sluice.limit.rejects.quota=5/60s",
                "sluice.limit.rejects.match.action=rejects",
                "sluice.limit.rejects.key=target",
                "sluice.limit.rejects.key.missing=reject",
                "sluice.limit.rejects.backend=redis",
                "sluice.limit.waits.quota=5/60s",
                "sluice.limit.waits.match.action=waits",
                "sluice.limit.waits.backend=redis",
                "sluice.limit.passes.quota=5/60s",
                "sluice.limit.passes.match.action=passes",
                "sluice.limit.passes.backend=redis",
                "sluice.limit.passes.redis.unavailable=allow",
                "sluice.limit.shapes.quota=5/60s",
                "sluice.limit.shapes.match.action=shapes",
                "sluice.limit.shapes.exceeded=delay",
                "sluice.limit.shapes.backend=redis"));
    instruments = new Instruments(config.limits());
    breaker = RedisBreaker.of("app", () -> redis, instruments.redis());
    breaker.governs(pauses::incrementAndGet, () -> {});
    opener = new EventOpener(config.eventDecoder(), Instant::now, config.timeMaxAhead());
    HomePartitioner home = new HomePartitioner(Field.USER_ID, 2);
    prefetcher =
        new Prefetcher(
            config.topics(),
            home,
            CurrentLimits.of(config.limitsConfig()),
            Arrivals.of(config),
            opener,
            breaker);
    path =
        DelayPath.of(
            new MeteringServices(
                config,
                CurrentLimits.of(config.limitsConfig()),
                home,
                opener,
                breaker,
                instruments),
            () -> 0,
            "");
  }

  @AfterEach
  void close() {
    breaker.close();
    redis.close();
  }

  @Test
  void eventsThatMustWaitStopProcessingAndOthersDoNot() {
    prefetcher.prefetch(polled("passes", 0));
    assertThat(breaker.isGone()).isTrue();
    assertThat(pauses).hasValue(0);
    prefetcher.prefetch(polled("waits", 1));
    prefetcher.prefetch(polled("waits", 2));
    assertThat(pauses).hasValue(1);
  }

  /** The event takes a hop, and Redis is asked about it at its home: once, and in that order. */
  @Test
  void anEventThatIsShapedIsAskedAboutAheadOnlyAtHome() {
    int home = new HomePartitioner(Field.USER_ID, 2).of(shaped());
    prefetcher.prefetch(polled("shapes", 1 - home));
    assertThat(breaker.waiting()).isZero();
    assertThat(breaker.isGone()).as("Redis was asked").isFalse();
    prefetcher.prefetch(hopped("shapes", home));
    assertThat(breaker.waiting()).isEqualTo(EVENTS);
    prefetcher.prefetch(polled("shapes", home));
    assertThat(breaker.waiting()).isEqualTo(2 * EVENTS);
  }

  /** The events have no target, by which both limits count. */
  @Test
  void redisIsNotAskedAboutEventsWithoutTheKey() {
    prefetcher.prefetch(polled("skips", 0));
    prefetcher.prefetch(polled("rejects", 1));
    assertThat(breaker.waiting()).isZero();
    assertThat(breaker.isGone()).as("Redis was asked").isFalse();
  }

  /** They are metered at the opening, before the next event of the user. */
  @Test
  void redisIsNotAskedAboutEventsOfAClosedLimitNorAboutTheirSuccessors() {
    long closedMs = Instant.parse("2023-11-20T07:59:59Z").toEpochMilli();
    long openMs = Instant.parse("2023-11-20T08:00:00Z").toEpochMilli();
    prefetcher.prefetch(
        records(List.of(event("ann", "opens", closedMs), event("ann", "opens", openMs))));
    assertThat(breaker.isGone()).as("Redis was asked").isFalse();
    assertThat(breaker.waiting()).isZero();

    prefetcher.prefetch(records(List.of(event("bob", "opens", openMs))));
    assertThat(breaker.isGone()).as("Redis was asked").isTrue();
  }

  private static ConsumerRecords<byte[], byte[]> records(List<String> values) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String each : values) {
      records.add(
          new ConsumerRecord<>(
              "sluice-home-repartition", 0, records.size(), null, each.getBytes(UTF_8)));
    }
    for (ConsumerRecord<byte[], byte[]> record : records) {
      String origin = "keyed user-actions-1-" + record.offset() + " 0";
      record.headers().add("sluice-origin", origin.getBytes(UTF_8));
    }
    return new ConsumerRecords<>(
        Map.of(new TopicPartition("sluice-home-repartition", 0), records), new HashMap<>());
  }

  private static String event(String user, String action, long atMs) {
    return "{\"userId\":\"%s\",\"action\":\"%s\",\"occurredAt\":%d}".formatted(user, action, atMs);
  }

  private static EventRecord shaped() {
    EventRecord event = new EventRecord(new byte[0]);
    event.opened(TestEvent.event("ann", "shapes", ""), Origin.of("user-actions", 0, 0), 0);
    return event;
  }

  @Test
  void ofAPartitionThatIsRevokedNoQuestionsAreLeft() {
    List<Processor<byte[], EventRecord, byte[], EventRecord>> tasks = List.of(task(0), task(1));
    prefetcher.prefetch(polled("waits", 0));
    prefetcher.prefetch(polled("waits", 1));
    assertThat(breaker.waiting()).isEqualTo(2 * EVENTS);

    tasks.get(0).close();
    assertThat(breaker.waiting()).isEqualTo(EVENTS);

    tasks.get(1).close();
    assertThat(breaker.waiting()).isZero();
  }

  private Processor<byte[], EventRecord, byte[], EventRecord> task(int partition) {
    DeadLetters deadLetters =
        new DeadLetters(
            instruments::countDeadLetter, RecordSizes.any(), OutputTopics.one("dead-letters"));
    var node = Meters.node(path, deadLetters);
    Processor<byte[], EventRecord, byte[], EventRecord> task = node.get();
    var context =
        new MockProcessorContext<byte[], EventRecord>(
            new Properties(), new TaskId(0, partition), Servers.folder().toFile());
    context.setCurrentStreamTimeMs(0);
    context.setCurrentSystemTimeMs(0);
    for (StoreBuilder<?> builder : node.stores()) {
      var store = builder.withLoggingDisabled().build();
      store.init(context.getStateStoreContext(), store);
    }
    task.init(context);
    return task;
  }

  private static ConsumerRecords<byte[], byte[]> polled(String action, int partition) {
    return polled("user-actions", action, partition);
  }

  /** Returns these events as they arrive by the hop. */
  private static ConsumerRecords<byte[], byte[]> hopped(String action, int partition) {
    ConsumerRecords<byte[], byte[]> records = polled("sluice-home-repartition", action, partition);
    for (ConsumerRecord<byte[], byte[]> record : records) {
      String origin = "keyed user-actions-" + (1 - partition) + "-" + record.offset() + " 0";
      record.headers().add("sluice-origin", origin.getBytes(UTF_8));
    }
    return records;
  }

  private static ConsumerRecords<byte[], byte[]> polled(
      String topic, String action, int partition) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int offset = 0; offset < EVENTS; offset++) {
      String json = "{\"userId\":\"ann\",\"action\":\"%s\",\"occurredAt\":1700000000000}";
      byte[] value = json.formatted(action).getBytes(UTF_8);
      records.add(new ConsumerRecord<>(topic, partition, offset, null, value));
    }
    return new ConsumerRecords<>(
        Map.of(new TopicPartition(topic, partition), records), new HashMap<>());
  }
}
