package io.sluice.guarantees.evidence;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumer that notes which events end (as allowed, rejected or dead letters) after its creation,
 * for a fault that lasts until certain events have ended.
 */
public final class EndWatch implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<Long, String> ends = new HashMap<>();

  public EndWatch(String bootstrapServers) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : Topics.FIRST.ends()) {
      consumer
          .partitionsFor(topic)
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  /**
   * Waits until all the given events have ended; returns false if some have not after the maximum
   * time.
   */
  public boolean await(Collection<Described> events, Duration most) {
    long startNanos = System.nanoTime();
    while (!events.stream().allMatch(each -> ends.containsKey(each.number()))) {
      if (System.nanoTime() - startNanos > most.toNanos()) return false;
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        Optional<Described> event = Described.in(record.headers());
        event.ifPresent(each -> ends.put(each.number(), record.topic()));
      }
    }
    return true;
  }

  /** Whether an event ended in the topic of allowed events, as far as was read. */
  public boolean isAllowed(Described event) {
    return Topics.FIRST.allowed().equals(ends.get(event.number()));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
