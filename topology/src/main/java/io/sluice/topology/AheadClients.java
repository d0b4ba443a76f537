package io.sluice.topology;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Streams' clients, of which the one that reads events is an {@link AheadConsumer}.
 *
 * @param clients makes them all
 */
record AheadClients(KafkaClientSupplier clients, Prefetcher prefetcher)
    implements KafkaClientSupplier {
  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return AheadConsumer.of(
        clients.getConsumer(config),
        prefetcher::prefetch,
        AheadConsumer.MANY,
        AheadConsumer.ENOUGH);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return clients.getRestoreConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return clients.getGlobalConsumer(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return clients.getProducer(config);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return clients.getAdmin(config);
  }
}
