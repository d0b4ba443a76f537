package io.sluice.server.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.runtime.cluster.Cluster;
import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Test that verdicts do not depend on prefetching: all headers are equal whether Redis is asked
 * about whole polls or about each event as it is processed, also after a restart.
 */
@Tag("full") // runs an application twice over thousands of events
class PrefetchClockIT {
  private static final long START_MS = 1_790_000_000_000L;
  private static final int EVENTS = 3_000;
  private static final int USERS = 20;
  private static final int PARTITIONS = 2;
  private static final List<String> NAMES =
      List.of("verdict", "remaining", "retry-after-ms", "reset-after-ms");

  private final Servers servers = Servers.shared();

  static Stream<String> algorithms() {
    return Servers.variants("funnel", "sliding-window-log");
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everyVerdictIsTheSame(String algorithm) throws Exception {
    String[] limit = {"sluice.limit.measured.algorithm=" + algorithm};
    List<String> users = users(user -> true);
    var oneByOne = later(() -> verdicts(false, users, UnaryOperator.identity(), limit));
    assertThat(verdicts(true, users, UnaryOperator.identity(), limit))
        .hasSize(EVENTS)
        .isEqualTo(oneByOne.join());
  }

  /**
   * Events of one partition are at home in the other; no clock may depend on which is read first.
   */
  @ParameterizedTest
  @MethodSource("algorithms")
  void everySlotIsTheSameOfEventsThatTakeAHop(String algorithm) throws Exception {
    String[] limit = {
      "sluice.limit.measured.algorithm=" + algorithm,
      "sluice.limit.measured.exceeded=delay",
      "sluice.limit.measured.delay.max=5s"
    };
    List<String> users = users(user -> partition(user) == 1);
    String elsewhere = users(user -> partition(user) == 0).get(0);
    var oneByOne = later(() -> verdicts(false, users, user -> elsewhere, limit));
    Map<String, String> prefetched = verdicts(true, users, user -> elsewhere, limit);
    assertThat(prefetched).hasSizeGreaterThan(EVENTS); // some are delayed, and then allowed
    assertThat(prefetched).isEqualTo(oneByOne.join());
  }

  /** Runs on another thread at the same time, since both applications mostly wait. */
  private static CompletableFuture<Map<String, String>> later(
      Callable<Map<String, String>> verdicts) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return verdicts.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        },
        task -> new Thread(task).start());
  }

  private static List<String> users(Predicate<String> wanted) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "user" + i)
        .filter(wanted)
        .limit(USERS)
        .toList();
  }

  private static int partition(String user) {
    return Utils.toPositive(Utils.murmur2(user.getBytes(UTF_8))) % PARTITIONS;
  }

  private interface Running extends AutoCloseable {
    @Override
    void close();
  }

  private static Running start(SluiceConfig config, boolean ahead) throws Exception {
    if (!ahead) return startOneByOne(config);
    Sluice sluice = Sluice.start(config);
    assertThat(sluice.awaitRunning()).isTrue();
    return sluice::close;
  }

  /** Starts the topology without prefetching: it asks Redis about each event as it processes it. */
  private static Running startOneByOne(SluiceConfig config) {
    int partitions;
    try (Cluster cluster = Cluster.open(config)) {
      cluster.prepareTopics();
      partitions = cluster.inputPartitions();
    }
    RedisMeter redis = new RedisMeter(redisSettings(config));
    KafkaStreams streams =
        new KafkaStreams(
            ThrottleTopology.build(config, partitions, InstantSource.system(), () -> redis),
            config.streams());
    streams.start();
    return () -> {
      streams.close();
      redis.close();
    };
  }

  private static RedisSettings redisSettings(SluiceConfig config) {
    RedisConfig redis = config.redis();
    return RedisSettings.of(redis.uri())
        .withKeyPrefix(redis.keyPrefix())
        .withTimeout(redis.timeout())
        .withPatience(Duration.ofSeconds(2))
        .withGrace(redis.grace().plus(config.timeLateness()));
  }

  private Map<String, String> verdicts(
      boolean ahead, List<String> users, UnaryOperator<String> key, String... limit)
      throws Exception {
    List<String> lines = new ArrayList<>(List.of(limit));
    lines.addAll(
        List.of(
            "sluice.limits=measured",
            "sluice.limit.measured.quota=5/10s",
            "sluice.limit.measured.backend=redis",
            "sluice.redis.timeout=2s",
            "sluice.topics.partitions=" + PARTITIONS));
    SluiceConfig config = SluiceConfig.of(servers.settings(lines.toArray(String[]::new)));
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < EVENTS; i++) {
      String user = users.get(random.nextInt(USERS));
      long lateMs = random.nextInt(3) == 0 ? random.nextInt(8_000) : 0;
      keys.add(key.apply(user).getBytes(UTF_8));
      values.add(
          "{\"eventId\":\"e%04d\",\"userId\":\"%s\",\"action\":\"post\",\"occurredAt\":%d}"
              .formatted(i, user, START_MS + 50L * i - lateMs)
              .getBytes(UTF_8));
    }
    List<String> topics = new ArrayList<>(config.outputTopics());
    topics.add(config.topics().delayed());
    List<ConsumerRecord<byte[], byte[]>> out = List.of();
    for (int end : List.of(EVENTS / 2, EVENTS)) {
      try (Running running = start(config, ahead)) {
        assertThat(running).isNotNull();
        int begin = end - EVENTS / 2;
        servers.publish(
            config.inputTopics().get(0), keys.subList(begin, end), values.subList(begin, end));
        out = servers.read(topics, read -> isComplete(read, config, end));
      }
    }
    Map<String, String> verdicts = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : out) {
      boolean delayed = record.topic().equals(config.topics().delayed());
      // An event that conforms is queued behind another only if that has not left yet, so it is
      // ignored.
      if (delayed && Servers.header(record, "sluice-retry-after-ms").equals("0")) continue;
      StringBuilder headers = new StringBuilder();
      for (String name : NAMES) {
        headers
            .append(name)
            .append('=')
            .append(Servers.header(record, "sluice-" + name))
            .append(' ');
      }
      if (delayed) headers.append(Servers.header(record, "sluice-release-at-ms"));
      String topic = record.topic().substring(record.topic().indexOf('-'));
      verdicts.put(topic + ' ' + new String(record.value(), UTF_8), headers.toString());
    }
    return verdicts;
  }

  /** Whether so many events have final verdicts, and all delayed ones have left. */
  private static boolean isComplete(
      List<ConsumerRecord<byte[], byte[]>> read, SluiceConfig config, int events) {
    String topic = config.topics().delayed();
    long delayed = read.stream().filter(record -> record.topic().equals(topic)).count();
    // An event that was only queued behind others has no release header when it leaves.
    long queued =
        read.stream()
            .filter(record -> record.topic().equals(topic))
            .filter(record -> Servers.header(record, "sluice-retry-after-ms").equals("0"))
            .count();
    long scheduled =
        read.stream()
            .filter(record -> !Servers.header(record, "sluice-release-at-ms").isEmpty())
            .count();
    return read.size() - delayed >= events && scheduled == 2 * delayed - queued;
  }
}
