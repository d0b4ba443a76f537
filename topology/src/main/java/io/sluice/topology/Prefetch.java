package io.sluice.topology;

import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.StreamsConfig;

/** The way to have Redis asked about whole polls, for the consumers of Kafka Streams. */
final class Prefetch {
  private Prefetch() {}

  /**
   * Clients that ask ahead of processing, and settings that do where Streams makes its own.
   *
   * @param streams to which settings are added
   */
  public static KafkaClientSupplier clients(
      SluiceConfig config,
      HomePartition home,
      Arrivals arrivals,
      EventOpener opener,
      RedisBreaker breaker,
      Sequences sequences,
      Properties streams) {
    KafkaClientSupplier given = new StreamsConfig(streams).getKafkaClientSupplier();
    if (!config.usesRedis()) return given;
    Prefetcher prefetcher =
        new Prefetcher(
            config.topics(), home, config.limits(), arrivals, opener, breaker, sequences);
    if (!config.makesItsOwnConsumer()) return new AheadClients(given, prefetcher);
    intercept(prefetcher, streams);
    return given;
  }

  private static void intercept(Prefetcher prefetcher, Properties streams) {
    String interceptors =
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    String ours = PrefetchInterceptor.class.getName();
    streams.merge(interceptors, ours, (others, added) -> others + "," + added);
    streams.put(StreamsConfig.mainConsumerPrefix(PrefetchInterceptor.PREFETCHER), prefetcher);
  }
}
