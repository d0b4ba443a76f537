package io.sluice.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The records committed on a topic whose broker stamps each record when it comes.
 *
 * @param lastMs when the last came; 0 if none did
 */
record Outputs(long count, long lastMs) {

  static Outputs of(String bootstrapServers, String topic) {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            10_000);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = Laboratory.partitions(topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      return readAll(consumer);
    }
  }

  private static Outputs readAll(KafkaConsumer<byte[], byte[]> consumer) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    long count = 0;
    long lastMs = 0;
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
        count++;
        lastMs = Math.max(lastMs, each.timestamp());
      }
    }
    return new Outputs(count, lastMs);
  }
}
