package io.sluice.topology.redis;

import io.sluice.limiter.redis.Position;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Names in Redis of the sequences of records that this application has asked about. Redis keeps its
 * answer about a record by the sequence's name and the record's offset, and repeats the answer if
 * the record is processed again. Safe for many threads.
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

  /**
   * Returns the name and offset by which Redis recognises a record that it is asked about as soon
   * as a poll returns the record.
   */
  Position ahead(TopicPartition partition, long offset) {
    return new Position(ahead.computeIfAbsent(partition, this::name), offset);
  }

  /**
   * Returns the name and offset by which Redis recognises a record that it is asked about only when
   * the record is processed. By then Redis may have been asked about later records of the
   * partition, so such records form a separate sequence.
   */
  Position atItsTurn(RecordMetadata record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    return new Position(name(partition) + AT_ITS_TURN, record.offset());
  }

  /**
   * Returns whether the name is that of a sequence of this application, for a topic partition with
   * the given number.
   */
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
