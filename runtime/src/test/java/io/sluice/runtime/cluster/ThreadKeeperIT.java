package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.live.kafka.Failure;
import io.sluice.runtime.monitoring.Health;
import io.sluice.testing.LogLines;
import io.sluice.testing.Servers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the replacement of failed threads in a real Kafka Streams application. */
class ThreadKeeperIT {
  private static final int FAILURES = 3;
  private static final Duration MOST = Duration.ofMinutes(2);

  private final Servers servers = Servers.shared();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger processed = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aThreadThatDiesLeavesItsGroupAndAnotherGoesOn(int threads) throws Exception {
    Properties settings = settings(threads);
    String input = settings.getProperty("application.id") + "-in";
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(input, 2, (short) 1))).all().get();
    }
    Health health = new Health();
    List<Failure> endings = new ArrayList<>();
    try (KafkaStreams streams = new KafkaStreams(failing(input), settings);
        LogLines log = LogLines.of(ThreadKeeper.class);
        ThreadKeeper keeper =
            new ThreadKeeper(
                StreamThreads.of(streams),
                InstantSource.system(),
                Duration.ofSeconds(1),
                health,
                endings::add)) {
      streams.setStateListener((now, before) -> health.changed(now));
      streams.setUncaughtExceptionHandler(keeper);
      streams.start();
      keeper.start();
      publish(input);

      await().atMost(MOST).until(() -> processed.get() > 0);
      await()
          .atMost(MOST)
          .untilAsserted(
              () -> {
                publish(input); // so that there is something to commit
                assertThat(log.lines()).hasSize(2);
              });
      assertThat(log.lines().get(1)).contains(FAILURES + " were replaced");
      assertThat(streams.metadataForLocalThreads()).hasSize(threads);
      assertThat(health.ready().well()).isTrue();
      assertThat(endings).isEmpty();
    }
  }

  private Topology failing(String input) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.<byte[], byte[]>stream(input).foreach((key, value) -> fail());
    return builder.build();
  }

  private void fail() {
    if (failures.getAndIncrement() < FAILURES) throw new TimeoutException("no leader");
    processed.incrementAndGet();
  }

  private void publish(String input) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    for (byte i = 0; i < 10; i++) keys.add(new byte[] {i});
    servers.publish(input, keys, keys);
  }

  /**
   * Settings with a session longer than the test waits, so that a failed thread which stays in its
   * group is noticed.
   */
  private Properties settings(int threads) {
    Map<String, String> given = servers.settings();
    Properties settings = new Properties();
    settings.put("bootstrap.servers", given.get("bootstrap.servers"));
    settings.put("application.id", given.get("application.id"));
    settings.put("state.dir", given.get("state.dir"));
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
    settings.put("consumer.session.timeout.ms", "1200000");
    settings.put(
        StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class.getName());
    settings.put(
        StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class.getName());
    return settings;
  }
}
