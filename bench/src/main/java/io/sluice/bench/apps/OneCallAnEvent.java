package io.sluice.bench.apps;

import io.sluice.bench.input.Workload;
import io.sluice.bench.run.Application;
import io.sluice.bench.run.Workplace;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Sluice's topology without prefetch: it calls Redis for each event at the time at which it
 * processes the event.
 */
final class OneCallAnEvent implements Application.Running {
  private final RedisMeter redis;
  private final PlainTopology.RunningStreams streams;

  private OneCallAnEvent(RedisMeter redis, PlainTopology.RunningStreams streams) {
    this.redis = redis;
    this.streams = streams;
  }

  static Application.Running start(SluiceConfig config, Workplace at) {
    createTopics(at);
    RedisMeter redis =
        new RedisMeter(
            RedisSettings.of(at.redisUri())
                .withKeyPrefix(at.applicationId())
                .withTimeout(Duration.ofSeconds(1)));
    KafkaStreams streams =
        new KafkaStreams(
            ThrottleTopology.build(
                config, Workload.PARTITIONS, InstantSource.system(), () -> redis),
            config.streams());
    streams.start();
    return new OneCallAnEvent(redis, new PlainTopology.RunningStreams(streams));
  }

  /** Creates the output topics, which an instance of Sluice itself would create. */
  private static void createTopics(Workplace at) {
    List<NewTopic> topics =
        Stream.of("-allowed", "-rejected", "-delayed", "-dead-letter")
            .map(
                name ->
                    new NewTopic(
                        at.applicationId() + name,
                        Optional.of(Workload.PARTITIONS),
                        Optional.empty()))
            .toList();
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, at.bootstrapServers()))) {
      admin.createTopics(topics).values().values().forEach(OneCallAnEvent::await);
    }
  }

  /** Waits for the creation of a topic; it is no error if the topic exists. */
  private static void await(KafkaFuture<Void> created) {
    created.toCompletionStage().exceptionally(there -> null).toCompletableFuture().join();
  }

  @Override
  public boolean hasFailed() {
    return streams.hasFailed();
  }

  @Override
  public void close() {
    streams.close();
    redis.close();
  }
}
