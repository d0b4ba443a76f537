package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.testing.Servers;
import io.sluice.testing.TestScale;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.SluiceConfig;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the outputs of an instance, which processes events in batches of changing sizes and is
 * restarted, with those of a test driver, which processes them one by one: byte for byte.
 */
@Timeout(300)
class BatchesIT {
  private static final int EVENTS = TestScale.of(4_000, 20_000);
  private static final long START_MS = Instant.parse("2023-11-20T07:00:00Z").toEpochMilli();

  /** While Redis is late, events that need it are passed by others. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Servers servers = Servers.shared();

  static Stream<Arguments> runs() {
    return TestScale.seeds(1, 5)
        .boxed()
        .flatMap(
            seed ->
                Servers.variants("memory", "rocksdb", "redis")
                    .map(place -> Arguments.of(seed, place)));
  }

  private Map<String, String> settings(String place) {
    Map<String, String> settings =
        servers.settings(
            "sluice.topics.partitions=1",
            // Late events are metered by the clock of the partition, which batches must not change.
            "sluice.time.lateness=2s",
            "sluice.time.max.ahead=1s",
            "sluice.redis.timeout=" + PATIENCE.toSeconds() + "s",
            "sluice.limits=funnel,log,shadow,distinct,closed",
            "sluice.limit.funnel.match.action=sms",
            "sluice.limit.funnel.quota=5/10s",
            "sluice.limit.log.quota=8/20s",
            "sluice.limit.log.key=userId,target",
            "sluice.limit.log.algorithm=sliding-window-log",
            "sluice.limit.shadow.quota=3/60s",
            "sluice.limit.shadow.mode=shadow",
            "sluice.limit.distinct.quota=4/60s",
            "sluice.limit.distinct.algorithm=sliding-window-log",
            "sluice.limit.distinct.distinct=target",
            "sluice.limit.closed.match.action=mail",
            "sluice.limit.closed.quota=50/60s",
            "sluice.limit.closed.open=mon 07:00-07:03");
    settings.put("sluice.state.store", place.equals("rocksdb") ? "rocksdb" : "memory");
    if (place.equals("redis")) {
      for (String limit : List.of("funnel", "log")) {
        settings.put("sluice.limit." + limit + ".backend", "redis");
      }
      settings.put("sluice.limits", "funnel,log");
      settings.keySet().removeIf(key -> key.matches("sluice\\.limit\\.(shadow|distinct|closed).*"));
    }
    return settings;
  }

  @ParameterizedTest
  @MethodSource("runs")
  void outputsAreTheSameAsOfEventsOneByOne(long seed, String place) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> settings = settings(place);
    String input = settings.get("sluice.topics.input");
    List<ProducerRecord<byte[], byte[]>> events = events(input, random);
    Map<String, List<String>> expected = oneByOne(new HashMap<>(settings), events);

    List<String> outputs = List.copyOf(expected.keySet());
    int read = 0;
    int[] restarts = random.ints(3, EVENTS / 10, EVENTS * 9 / 10).sorted().toArray();
    int published = 0;
    for (int i = 0; i <= restarts.length; i++) {
      int until = i < restarts.length ? restarts[i] : EVENTS;
      settings.put("main.consumer.max.poll.records", Integer.toString(random.nextInt(1, 1_000)));
      settings.put("commit.interval.ms", Integer.toString(random.nextInt(10, 500)));
      SluiceConfig config = SluiceConfig.of(settings);
      try (Sluice sluice = Sluice.start(config)) {
        assertThat(sluice.awaitRunning()).isTrue();
        // A backlog is there when the next instance starts.
        int more = Math.min(EVENTS, until + EVENTS / 20);
        servers.publish(events.subList(published, more));
        published = more;
        read = servers.read(outputs, all -> all.size() >= until).size();
        assertThat(read).as("seed %d", seed).isGreaterThanOrEqualTo(until);
      }
    }

    Map<String, List<String>> found = new HashMap<>();
    outputs.forEach(topic -> found.put(topic, new ArrayList<>()));
    for (ConsumerRecord<byte[], byte[]> each : servers.read(outputs, all -> all.size() >= EVENTS)) {
      found.get(each.topic()).add(text(each.key(), each.value(), each.headers(), each.timestamp()));
    }
    for (String topic : outputs) {
      assertThat(found.get(topic))
          .as("%s, seed %d", topic, seed)
          .containsExactlyElementsOf(expected.get(topic));
    }
  }

  /** Returns the outputs of a test driver by topic, as texts. */
  private Map<String, List<String>> oneByOne(
      Map<String, String> settings, List<ProducerRecord<byte[], byte[]>> events) {
    settings.put("application.id", settings.get("application.id") + "-one-by-one");
    settings.put("state.dir", Servers.folder().toString());
    SluiceConfig config = SluiceConfig.of(settings);
    Map<String, List<String>> outputs = new HashMap<>();
    String redisPrefix = settings.get("application.id");
    try (RedisMeter redis =
            new RedisMeter(
                RedisSettings.of(servers.redis.uri())
                    .withKeyPrefix(redisPrefix)
                    .withTimeout(PATIENCE));
        TopologyTestDriver driver =
            new TopologyTestDriver(
                ThrottleTopology.build(config, 1, InstantSource.system(), () -> redis),
                config.streams())) {
      TestInputTopic<byte[], byte[]> input =
          driver.createInputTopic(
              config.topics().inputs().get(0),
              new ByteArraySerializer(),
              new ByteArraySerializer());
      for (ProducerRecord<byte[], byte[]> each : events) {
        input.pipeInput(
            new TestRecord<>(each.key(), each.value(), each.headers(), each.timestamp()));
      }
      for (String topic : config.outputTopics()) {
        List<String> texts = new ArrayList<>();
        driver
            .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
            .readRecordsToList()
            .forEach(
                each ->
                    texts.add(text(each.key(), each.value(), each.headers(), each.timestamp())));
        outputs.put(topic, texts);
      }
    }
    assertThat(outputs.values().stream().map(List::size))
        .as("allowed, rejected and dead-letter")
        .filteredOn(size -> size > EVENTS / 1_000)
        .hasSize(3);
    return outputs;
  }

  private static String text(byte[] key, byte[] value, Headers headers, long timestampMs) {
    StringBuilder text = new StringBuilder();
    text.append(timestampMs).append(' ').append(Arrays.toString(key));
    text.append(' ').append(value == null ? "null" : new String(value, UTF_8));
    for (Header each : headers) {
      text.append(' ').append(each.key()).append('=').append(new String(each.value(), UTF_8));
    }
    return text.toString();
  }

  private static List<ProducerRecord<byte[], byte[]>> events(
      String topic, SplittableRandom random) {
    List<ProducerRecord<byte[], byte[]>> events = new ArrayList<>();
    long timeMs = START_MS;
    for (int i = 0; i < EVENTS; i++) {
      timeMs += random.nextInt(100);
      byte[] key = random.nextInt(10) == 0 ? null : ByteBuffer.allocate(4).putInt(i).array();
      Headers headers = new RecordHeaders();
      if (random.nextInt(10) == 0) headers.add("trace", "t".getBytes(UTF_8));
      if (random.nextInt(20) == 0) headers.add("sluice-verdict", "allowed".getBytes(UTF_8));
      events.add(
          new ProducerRecord<>(topic, 0, timeMs + 7, key, value(i, timeMs, random), headers));
    }
    return events;
  }

  private static byte[] value(int number, long timeMs, SplittableRandom random) {
    int kind = random.nextInt(100);
    if (kind == 0) return null;
    if (kind < 3) return ("garbage " + number).getBytes(UTF_8);
    long lateMs = kind < 20 ? random.nextInt(60_000) : 0;
    String action = List.of("sms", "mail", "post").get(random.nextInt(3));
    String target = random.nextInt(10) == 0 ? "" : ",\"target\":\"t" + random.nextInt(15) + "\"";
    String id = random.nextInt(30) == 0 ? ",\"eventId\":\"id" + random.nextInt(50) + "\"" : "";
    return "{\"userId\":\"u%d\",\"action\":\"%s\",\"occurredAt\":%d%s%s,\"cost\":%d}"
        .formatted(random.nextInt(40), action, timeMs - lateMs, target, id, 1 + random.nextInt(2))
        .getBytes(UTF_8);
  }
}
