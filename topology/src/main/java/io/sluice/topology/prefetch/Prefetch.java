package io.sluice.topology.prefetch;

import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.redis.RedisBreaker;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Factory of consumers for Kafka Streams that have Redis asked about whole polls. */
public final class Prefetch {
  private Prefetch() {}

  /**
   * Returns a wrapper that makes a plain consumer ask Redis ahead of processing; it does nothing if
   * no limit may be in Redis.
   *
   * @param streams receives settings with the same effect, if Streams makes its own consumer
   */
  public static UnaryOperator<Consumer<byte[], byte[]>> by(
      SluiceConfig config,
      CurrentLimits limits,
      int partitions,
      EventOpener opener,
      RedisBreaker breaker,
      Properties streams) {
    if (!config.mayUseRedis()) return UnaryOperator.identity();
    Prefetcher prefetcher = Prefetcher.of(config, limits, partitions, opener, breaker);
    if (!config.makesItsOwnConsumer()) {
      return plain ->
          PrefetchingConsumer.of(
              plain, prefetcher, PrefetchingConsumer.MANY, PrefetchingConsumer.ENOUGH);
    }
    intercept(prefetcher, streams);
    return UnaryOperator.identity();
  }

  private static void intercept(Prefetcher prefetcher, Properties streams) {
    String interceptors =
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    String ours = PrefetchInterceptor.class.getName();
    streams.merge(interceptors, ours, (others, added) -> others + "," + added);
    streams.put(StreamsConfig.mainConsumerPrefix(PrefetchInterceptor.PREFETCHER), prefetcher);
  }
}
