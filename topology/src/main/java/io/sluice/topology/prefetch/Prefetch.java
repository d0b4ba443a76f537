package io.sluice.topology.prefetch;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.redis.RedisBreaker;
import io.sluice.topology.revision.CurrentLimits;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** The way to have Redis asked about whole polls, for the consumers of Kafka Streams. */
public final class Prefetch {
  private Prefetch() {}

  /**
   * The consumer that asks ahead of processing, made of a plain one.
   *
   * @param streams gets settings that do the same, where Streams makes its own consumer
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
