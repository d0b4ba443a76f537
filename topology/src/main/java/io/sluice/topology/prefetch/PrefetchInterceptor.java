package io.sluice.topology.prefetch;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * An interceptor that shows every batch that a stream thread's consumer polls to the {@link
 * Prefetcher}. Kafka makes one for each consumer, by its name, so it must be public and is told by
 * a setting what to work for.
 */
public final class PrefetchInterceptor implements ConsumerInterceptor<byte[], byte[]> {
  static final String PREFETCHER = "sluice.prefetcher";

  private Prefetcher prefetcher;

  /** For Kafka. */
  public PrefetchInterceptor() {}

  @Override
  public void configure(Map<String, ?> settings) {
    prefetcher = (Prefetcher) settings.get(PREFETCHER);
  }

  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> polled) {
    prefetcher.prefetch(polled);
    return polled;
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

  @Override
  public void close() {}
}
