package io.sluice.topology.prefetch;

import io.sluice.topology.intake.MeteringServices;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Factory of consumers for Kafka Streams that have all events of a poll metered in Redis before the
 * events are processed.
 */
public final class Prefetch {
  private Prefetch() {}

  /**
   * Returns a function that wraps a plain consumer, so that Redis is asked about the events of a
   * poll before they are processed. The function returns the plain consumer if no limit may be in
   * Redis.
   *
   * @param streams settings of Kafka Streams; receives an interceptor with the same effect if Kafka
   *     Streams must create its consumer itself
   */
  public static UnaryOperator<Consumer<byte[], byte[]>> by(
      MeteringServices services, Properties streams) {
    if (!services.config().mayUseRedis()) return UnaryOperator.identity();
    Prefetcher prefetcher = Prefetcher.of(services);
    if (!services.config().makesItsOwnConsumer()) {
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
