package io.sluice.topology.redis;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.runtime.cluster.Cluster;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.SluiceConfig;
import java.time.InstantSource;
import org.apache.kafka.streams.KafkaStreams;

/** Topology that does not ask ahead: Redis is asked about each event when it is processed. */
public final class OneByOne implements AutoCloseable {
  private final RedisMeter redis;
  private final KafkaStreams streams;

  private OneByOne(RedisMeter redis, KafkaStreams streams) {
    this.redis = redis;
    this.streams = streams;
  }

  public static OneByOne start(SluiceConfig config) {
    int partitions;
    try (Cluster cluster = Cluster.open(config)) {
      cluster.prepareTopics();
      partitions = cluster.inputPartitions();
    }
    RedisMeter redis = new RedisMeter(SharedRedisMeter.settings(config));
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
