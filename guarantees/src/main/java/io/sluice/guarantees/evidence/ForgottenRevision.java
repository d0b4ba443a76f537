package io.sluice.guarantees.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Waits until compaction has removed a deleted revision (a dated change of a limit) from the topic
 * of limits.
 */
public final class ForgottenRevision {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration BETWEEN = Duration.ofMillis(500);
  private static final TopicPartition LIMITS = new TopicPartition(Topics.LIMITS, 0);

  private ForgottenRevision() {}

  /**
   * Waits until the topic of limits contains neither the revision nor its tombstone; returns false
   * if it still does after the maximum time.
   */
  public static boolean await(String bootstrapServers, String id, Duration most)
      throws InterruptedException {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(LIMITS));
      long startNanos = System.nanoTime();
      while (isThere(consumer, id)) {
        if (System.nanoTime() - startNanos > most.toNanos()) return false;
        Thread.sleep(BETWEEN.toMillis());
      }
      return true;
    }
  }

  private static boolean isThere(KafkaConsumer<byte[], byte[]> consumer, String id) {
    long end = consumer.endOffsets(List.of(LIMITS)).get(LIMITS);
    consumer.seekToBeginning(List.of(LIMITS));
    boolean found = false;
    while (consumer.position(LIMITS) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        found |= Objects.nonNull(record.key()) && id.equals(new String(record.key(), UTF_8));
      }
    }
    return found;
  }
}
