package io.sluice.server.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.ChildSluice;
import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.Options;

/**
 * Tests of rows on disk, and of rows on the heap not yet written, when an instance is closed or
 * killed.
 */
@Tag("full") // 80,000 events, and instances that close and are killed
class DiskCrashIT {
  /** More users than rows that the heap holds before they are written. */
  private static final int USERS = 20_000;

  private final Servers servers = Servers.shared();
  private final Set<String> published = new HashSet<>();

  /** RocksDB settings that write files often, so that a kill leaves some of the rows on disk. */
  public static final class SmallBuffers implements RocksDBConfigSetter {
    @Override
    public void setConfig(String store, Options options, Map<String, Object> configs) {
      options.setWriteBufferSize(1 << 18);
    }

    @Override
    public void close(String store, Options options) {}
  }

  static Stream<String> guarantees() {
    return Servers.variants("exactly_once_v2", "at_least_once");
  }

  @ParameterizedTest
  @MethodSource("guarantees")
  void eachChargeIsThereOnceAfterClosingAndAfterAKill(String guarantee) throws Exception {
    Map<String, String> settings =
        servers.settings(
            "sluice.limits=reply",
            "sluice.limit.reply.quota=3/1h",
            "sluice.state.store=rocksdb",
            "sluice.topics.partitions=1",
            "commit.interval.ms=100",
            "consumer.session.timeout.ms=3000",
            "producer.transaction.timeout.ms=3000",
            "consumer.heartbeat.interval.ms=1000",
            "rocksdb.config.setter=" + SmallBuffers.class.getName(),
            "processing.guarantee=" + guarantee);
    SluiceConfig config = SluiceConfig.of(settings);
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, "closed");
    }
    try (ChildSluice child = ChildSluice.start(settings)) {
      publish(config, "killed");
      child.kill();
    }
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, "third");
      publish(config, "fourth");
    }
    assertThat(judged(config.topics().allowed().names(), 3 * USERS))
        .hasSize(3 * USERS)
        .noneMatch(event -> event.contains("fourth"));
    assertThat(judged(config.topics().rejected().names(), USERS))
        .hasSize(USERS)
        .allMatch(event -> event.contains("fourth"));
  }

  /** Publishes an event of each user and waits until all have verdicts. */
  private void publish(SluiceConfig config, String id) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> events = new ArrayList<>();
    for (int user = 0; user < USERS; user++) {
      String event =
          "{\"userId\":\"%d\",\"action\":\"reply\",\"eventId\":\"%s\"}".formatted(user, id);
      keys.add(Integer.toString(user).getBytes(UTF_8));
      events.add(event.getBytes(UTF_8));
      published.add(event);
    }
    servers.publish(config.topics().inputs().get(0), keys, events);
    assertThat(judged(config.outputTopics(), published.size())).isEqualTo(published);
  }

  /** Waits for the verdicts and returns the events; with at-least-once an event may have two. */
  private Set<String> judged(List<String> topics, int least) {
    return distinct(
        servers.read(topics, read -> read.size() >= least && distinct(read).size() >= least));
  }

  private static Set<String> distinct(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(record -> new String(record.value(), UTF_8)).collect(toSet());
  }
}
