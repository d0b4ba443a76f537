package io.sluice.topology;

import io.sluice.limiter.redis.RedisMeter;
import java.time.InstantSource;
import org.apache.kafka.streams.KafkaStreams;

/** The topology without asking ahead: Redis is asked about each event as it is processed. */
final class OneByOne implements AutoCloseable {
  private final RedisMeter redis;
  private final KafkaStreams streams;

  private OneByOne(RedisMeter redis, KafkaStreams streams) {
    this.redis = redis;
    this.streams = streams;
  }

  static OneByOne start(SluiceConfig config) {
    int partitions;
    try (Cluster cluster = Cluster.open(config)) {
      partitions = cluster.prepareTopics().partitions();
    }
    RedisMeter redis = new RedisMeter(RedisMeters.settings(config));
    KafkaStreams streams =
        new KafkaStreams(
            ThrottleTopology.build(config, partitions, InstantSource.system(), () -> redis),
            config.streams());
    streams.start();
    return new OneByOne(redis, streams);
  }

  @Override
  public void close() {
    streams.close();
    redis.close();
  }
}
