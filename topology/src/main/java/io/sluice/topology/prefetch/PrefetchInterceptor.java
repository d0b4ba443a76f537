package io.sluice.topology.prefetch;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Consumer interceptor that has the {@link Prefetcher} put the events of each poll into batches and
 * ask Redis about them. Kafka creates an interceptor for each consumer by the class name, so the
 * class is public, and gets the prefetcher from a consumer setting.
 */
public final class PrefetchInterceptor implements ConsumerInterceptor<byte[], byte[]> {
  static final String PREFETCHER = "sluice.prefetcher";

  private Prefetcher prefetcher;

  /** Called by Kafka, which creates interceptors by reflection. */
  public PrefetchInterceptor() {}

  @Override
  public void configure(Map<String, ?> settings) {
    prefetcher = (Prefetcher) settings.get(PREFETCHER);
  }

  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> polled) {
    return prefetcher.prefetch(polled);
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

  @Override
  public void close() {}
}
