package io.sluice.topology.prefetch;

import io.sluice.rules.StartException;
import io.sluice.topology.intake.EventBatch;
import io.sluice.topology.intake.MeteringServices;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.LogAndFailProcessingExceptionHandler;

/**
 * Factory of consumers for Kafka Streams that hand over the events of a poll in batches, already
 * metered in Redis.
 */
public final class Prefetch {
  /** Default of the number of batches of a partition that Kafka Streams buffers. */
  private static final int BUFFERED = 8;

  private Prefetch() {}

  /**
   * Returns a function that wraps a plain consumer.
   *
   * @param streams settings of Kafka Streams; receives the number of buffered batches for the
   *     number of buffered records, and an interceptor with the same effect if Kafka Streams must
   *     create its consumer itself
   * @throws StartException if the handler of processing exceptions may skip records, since Kafka
   *     Streams would then lose the rest of a batch
   */
  public static UnaryOperator<Consumer<byte[], byte[]>> by(
      MeteringServices services, Properties streams) {
    requireFailing(streams);
    streams.merge(
        StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG,
        Integer.toString(BUFFERED),
        (records, absent) -> buffered(Integer.parseInt(records.toString().trim())));
    Prefetcher prefetcher = Prefetcher.of(services);
    if (!services.config().makesItsOwnConsumer()) {
      return plain ->
          PrefetchingConsumer.of(
              plain, prefetcher, PrefetchingConsumer.MANY, PrefetchingConsumer.ENOUGH);
    }
    intercept(prefetcher, streams);
    return UnaryOperator.identity();
  }

  private static void requireFailing(Properties streams) {
    String key = StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG;
    String failing = LogAndFailProcessingExceptionHandler.class.getName();
    String given = streams.getProperty(key, failing).trim();
    if (given.equals(failing)) return;
    throw new StartException(
        key + "=" + given + ": only " + failing + " is accepted; another handler loses events");
  }

  private static String buffered(int records) {
    return Integer.toString(Math.max(1, records / EventBatch.MOST));
  }

  private static void intercept(Prefetcher prefetcher, Properties streams) {
    String interceptors =
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    String ours = PrefetchInterceptor.class.getName();
    streams.merge(interceptors, ours, (others, added) -> others + "," + added);
    streams.put(StreamsConfig.mainConsumerPrefix(PrefetchInterceptor.PREFETCHER), prefetcher);
  }
}
