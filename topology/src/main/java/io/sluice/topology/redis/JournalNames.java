package io.sluice.topology.redis;

import io.sluice.limiter.redis.Position;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The names of this application's partitions in Redis, by which Redis repeats its answer about a
 * record that is processed again. Safe for many threads.
 */
final class JournalNames {
  private final String applicationId;
  private final Map<TopicPartition, String> ahead = new ConcurrentHashMap<>();

  JournalNames(String applicationId) {
    this.applicationId = applicationId;
  }

  /** Of a record that Redis is asked about when a poll brings it. */
  Position ahead(TopicPartition partition, long offset) {
    return new Position(ahead.computeIfAbsent(partition, this::name), offset);
  }

  /**
   * Of a record that Redis is asked about when it is its turn: when later ones of its partition may
   * have been asked about, so that these are a sequence of their own.
   */
  Position atItsTurn(RecordMetadata record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    return new Position(name(partition) + "/at-its-turn", record.offset());
  }

  private String name(TopicPartition partition) {
    return applicationId + "/" + partition;
  }
}
