package io.sluice.topology.redis;

import io.sluice.limiter.redis.Position;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The names of this application's partitions in Redis, by which Redis repeats its answer about a
 * record that is processed again. Safe for many threads.
 */
final class JournalNames {
  private static final String AT_ITS_TURN = "/at-its-turn";
  private static final Pattern AFTER_ID =
      Pattern.compile("/[A-Za-z0-9._-]{1,249}-([0-9]{1,9})(?:" + AT_ITS_TURN + ")?");

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
    return new Position(name(partition) + AT_ITS_TURN, record.offset());
  }

  /** Whether a sequence may be of records that the task of a partition has asked about. */
  boolean isOwn(String sequence, int partition) {
    Matcher name = AFTER_ID.matcher(sequence);
    return sequence.startsWith(applicationId + "/")
        && name.region(applicationId.length(), sequence.length()).matches()
        && name.group(1).equals(Integer.toString(partition));
  }

  private String name(TopicPartition partition) {
    return applicationId + "/" + partition;
  }
}
