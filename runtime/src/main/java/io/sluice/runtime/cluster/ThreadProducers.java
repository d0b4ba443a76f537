package io.sluice.runtime.cluster;

import io.sluice.topology.intake.DirectOutput;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;

/** Producers of all stream threads, by the names of the threads. Safe for many threads. */
final class ThreadProducers implements DirectOutput {
  private static final String SUFFIX = "-producer";

  private final Map<String, Sender> producers = new ConcurrentHashMap<>();
  private final RefusedRecords refusals;

  ThreadProducers(RefusedRecords refusals) {
    this.refusals = refusals;
  }

  /** Creates the producer of a thread, which replaces an earlier one. */
  ThreadProducer create(Map<String, Object> config, TopicPartition fence) {
    ThreadProducer producer = new ThreadProducer(config, fence, refusals);
    // Kafka Streams derives the client id from the name of the thread.
    String client = config.get(ProducerConfig.CLIENT_ID_CONFIG).toString();
    if (client.endsWith(SUFFIX)) {
      producers.put(client.substring(0, client.length() - SUFFIX.length()), producer);
    }
    return producer;
  }

  @Override
  public Sender ofThread() {
    return producers.getOrDefault(Thread.currentThread().getName(), NOT_SENT);
  }
}
