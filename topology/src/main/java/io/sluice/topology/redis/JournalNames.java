package io.sluice.topology.redis;

import io.sluice.limiter.redis.Position;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Names of this application's partitions in Redis, by which Redis repeats its answer about a record
 * that is processed again. Safe for many threads.
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

  /** Returns the position of a record that Redis is asked about when a poll brings it. */
  Position ahead(TopicPartition partition, long offset) {
    return new Position(ahead.computeIfAbsent(partition, this::name), offset);
  }

  /**
   * Returns the position of a record that Redis is asked about at its turn. By then it may have
   * been asked about later records of the partition, so these positions are a sequence of their
   * own.
   */
  Position atItsTurn(RecordMetadata record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    return new Position(name(partition) + AT_ITS_TURN, record.offset());
  }

  /** Returns whether the sequence may be that of records of this partition's task. */
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
