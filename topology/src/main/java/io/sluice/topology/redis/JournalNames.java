package io.sluice.topology.redis;

import io.sluice.limiter.redis.Position;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Positions by which Redis recognises the records that this application has asked about. Redis
 * keeps its answer about a record by the name of its sequence and its offset, and repeats the
 * answer if the record is processed again. Each partition belongs to one stream thread at a time.
 */
final class JournalNames {
  private static final String AT_ITS_TURN = "/at-its-turn";
  private static final Pattern AFTER_ID =
      Pattern.compile("/[A-Za-z0-9._-]{1,249}-([0-9]{1,9})(?:" + AT_ITS_TURN + ")?");

  private final String applicationId;
  private final Map<TopicPartition, Journal> ahead = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Journal> atItsTurn = new ConcurrentHashMap<>();

  JournalNames(String applicationId) {
    this.applicationId = applicationId;
  }

  /**
   * Sequence of records of a partition since its task has begun. It remembers the offset of every
   * thousandth record, to know which records are among the last 20,000: a compacted topic has large
   * gaps between offsets. Until it has seen so many, Redis keeps the answers from the first record
   * on, since earlier ones are committed; and a record may have been asked about as one of the
   * partition's other sequence, because that depends on how the records are polled.
   */
  private static final class Journal {
    private static final int STEP = 1_000;

    private final String name;
    private final String other;
    private final Deque<Long> steps = new ArrayDeque<>();
    private int untilStep;
    private long last = -1;

    private Journal(String name, String other) {
      this.name = name;
      this.other = other;
    }

    private synchronized Position at(long offset) {
      if (offset <= last) {
        // The partition is read again, after a failure or when it comes back to this instance.
        steps.clear();
        untilStep = 0;
      }
      last = offset;
      if (--untilStep < 0) {
        untilStep = STEP - 1;
        steps.add(offset);
        if (steps.size() > Position.KEPT / STEP + 1) steps.remove();
      }
      boolean isFull = steps.size() > Position.KEPT / STEP;
      return isFull
          ? new Position(name, offset, steps.element(), "")
          : new Position(name, offset, Math.max(0, steps.element() - Position.KEPT), other);
    }
  }

  /**
   * Returns the name and offset by which Redis recognises a record that it is asked about as soon
   * as a poll returns the record. To be called in the order of the partition's records.
   */
  Position ahead(TopicPartition partition, long offset) {
    return ahead
        .computeIfAbsent(partition, each -> new Journal(name(each), name(each) + AT_ITS_TURN))
        .at(offset);
  }

  /**
   * Returns the name and offset by which Redis recognises a record that it is asked about only when
   * the record is processed. By then Redis may have been asked about later records of the
   * partition, so such records form a separate sequence.
   */
  Position atItsTurn(RecordMetadata record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    return atItsTurn
        .computeIfAbsent(partition, each -> new Journal(name(each) + AT_ITS_TURN, name(each)))
        .at(record.offset());
  }

  /** Forgets what was asked about a partition whose task is closed: another reader may go on. */
  void forget(int partition) {
    ahead.keySet().removeIf(each -> each.partition() == partition);
    atItsTurn.keySet().removeIf(each -> each.partition() == partition);
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
