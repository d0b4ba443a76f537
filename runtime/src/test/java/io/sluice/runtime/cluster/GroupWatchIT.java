package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.testing.Servers;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.SluiceConfig;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Test;

/** Test of an instance that joins the group of another application with the same id. */
class GroupWatchIT {
  private final Map<String, String> settings =
      Servers.shared().settings("sluice.limits=post", "sluice.limit.post.quota=5/60s");

  /** Settings of another application, with the same id and other topics. */
  private Map<String, String> another() {
    Map<String, String> other = new HashMap<>(settings);
    other.put("sluice.topics.input", settings.get("sluice.topics.input") + "-other");
    other.put("state.dir", Servers.folder().toString());
    return other;
  }

  private static KafkaStreams started(SluiceConfig config) {
    int partitions;
    try (Cluster cluster = Cluster.open(config)) {
      cluster.prepareTopics();
      partitions = cluster.inputPartitions();
    }
    KafkaStreams streams =
        new KafkaStreams(
            ThrottleTopology.build(
                config,
                partitions,
                InstantSource.system(),
                () -> {
                  throw new AssertionError("no limit is on Redis");
                }),
            config.streams());
    streams.start();
    return streams;
  }

  @Test
  void theInstanceIsRefusedWithTheNameOfTheOtherTopic() throws Exception {
    CompletableFuture<String> refused = new CompletableFuture<>();
    GroupWatch.Joining joining =
        new GroupWatch.Joining() {
          @Override
          public void joined() {}

          @Override
          public void refused(String why) {
            refused.complete(why);
          }
        };
    try (KafkaStreams first = started(SluiceConfig.of(settings))) {
      await().until(() -> first.state() == KafkaStreams.State.RUNNING);
      SluiceConfig second = SluiceConfig.of(another());
      try (GroupWatch watch =
          new GroupWatch(
              GroupCheck.of(second), new KafkaAccess(second.streams()).open(), Set::of, joining)) {
        watch.start();
        assertThat(refused.get(1, TimeUnit.MINUTES)).contains("are assigned").contains("other");
      }
    }
  }
}
