package io.sluice.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.sluice.limiter.PlainText;
import io.sluice.live.kafka.LimitsTopic;
import io.sluice.rules.StartException;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.rules.settings.LimitsTopicConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of an application's topic of revisions, which reads it to its end and writes to it. It
 * joins no consumer group and commits no offsets. Not thread-safe.
 */
public final class RevisionTopic implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RevisionTopic.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  /** Maximum number of records that an error message names. */
  private static final int MOST_NAMED = 20;

  private static final Duration MOST_CLOSING = Duration.ofSeconds(2);

  private static final CloseOptions CLOSE_AT_ONCE = CloseOptions.timeout(Duration.ZERO);

  /** Number of empty polls in a row after which the brokers are asked for the end offset. */
  private static final int MOST_SILENT_POLLS = 5;

  private final String topic;
  private final boolean creates;
  private final LimitsTopic access;
  private final Consumer<byte[], byte[]> consumer;

  private RevisionTopic(LimitsTopicConfig config) {
    topic = config.name();
    creates = config.creates();
    access = LimitsTopic.ofCommands(config);
    consumer = access.patientReader();
  }

  /**
   * Connects to the cluster.
   *
   * @param config of an application with {@code sluice.limits.live=true}
   * @throws StartException if the cluster certainly cannot be reached; the message says why in one
   *     line
   */
  public static RevisionTopic open(LimitsTopicConfig config) {
    return new RevisionTopic(config);
  }

  /**
   * Contents of the topic of revisions.
   *
   * @param exists whether the topic exists; otherwise writing creates it
   * @param end offset of the next record, unless another writer adds one
   */
  public record Contents(
      boolean exists, List<Written> revisions, List<Unreadable> unreadable, long end) {}

  /**
   * Revision with the position and times of its last record.
   *
   * @param atMs timestamp of the last record
   * @param firstWrittenAtMs timestamp of the oldest record with this id that compaction has left
   */
  public record Written(LimitRevision revision, long offset, long atMs, long firstWrittenAtMs) {}

  /**
   * Record of the topic that is no valid revision.
   *
   * @param id the record's key; empty if it has none
   */
  public record Unreadable(String id, String problem, long offset, long atMs) {}

  /**
   * Reads the committed records of the topic, from its beginning to its current end.
   *
   * @throws StartException if the topic cannot be read; the message says why in one line
   */
  public Contents read() {
    Contents contents = readIfThere();
    if (contents.exists() || creates) return contents;
    throw new StartException(
        "there is no topic "
            + topic
            + ": create it, with one partition and cleanup.policy=compact, or set"
            + " sluice.topics.create=true");
  }

  /**
   * Reads the topic as {@link #read} does, but returns no revisions if the topic does not exist.
   */
  public Contents readIfThere() {
    try {
      List<PartitionInfo> known = consumer.partitionsFor(topic);
      if (known == null || known.isEmpty()) return new Contents(false, List.of(), List.of(), 0);
      if (known.size() > 1) throw tooMany(known.size());
      return readAll(access.partition());
    } catch (KafkaException e) {
      throw access.failed(e);
    }
  }

  private StartException tooMany(int partitions) {
    return new StartException(
        "the topic of revisions must have one partition: " + topic + " has " + partitions);
  }

  private Contents readAll(TopicPartition partition) {
    consumer.assign(Set.of(partition));
    consumer.seekToBeginning(Set.of(partition));
    long end = end(partition);
    LastRecords last = new LastRecords(new RevisionReader());
    int silent = 0;
    for (long at = consumer.position(partition); at < end; ) {
      consumer.poll(POLL).forEach(last::add);
      long now = consumer.position(partition);
      silent = now == at ? silent + 1 : 0;
      // The consumer retries forever without an error; the request for the end offset gets an
      // answer or times out.
      if (silent == MOST_SILENT_POLLS) {
        silent = 0;
        end = Math.min(end, end(partition));
      }
      at = now;
    }
    return new Contents(true, last.revisions(), last.unreadable(), end);
  }

  private long end(TopicPartition partition) {
    return consumer.endOffsets(Set.of(partition)).get(partition);
  }

  /**
   * Writes revisions; creates the topic if it is missing. Several revisions are written in one
   * transaction, if the cluster permits it.
   *
   * @return the offset of the last revision's record
   * @throws StartException if not all revisions were written; the message says why in one line
   */
  public long publish(List<LimitRevision> revisions) {
    return write(revisions.stream().map(this::record).toList());
  }

  /**
   * Undoes revisions: writes some again with an earlier end, and deletes others, in one transaction
   * if the cluster permits it.
   *
   * @throws StartException if not all records were written; the message says why in one line
   */
  public void undo(List<LimitRevision> ended, List<String> takenBack) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (LimitRevision each : ended) records.add(record(each));
    for (String each : takenBack) records.add(record(each, null));
    write(records);
  }

  private ProducerRecord<byte[], byte[]> record(LimitRevision revision) {
    return record(revision.id(), RevisionReader.json(revision).getBytes(UTF_8));
  }

  private ProducerRecord<byte[], byte[]> record(String id, byte[] value) {
    return new ProducerRecord<>(topic, access.partition().partition(), id.getBytes(UTF_8), value);
  }

  private long write(List<ProducerRecord<byte[], byte[]>> records) {
    createIfMissing();
    if (records.size() < 2) return writeEach(records);
    Producer<byte[], byte[]> producer = access.transactionalWriter();
    try {
      if (begins(producer)) return writeTogether(records, producer);
    } finally {
      producer.close(MOST_CLOSING); // without a timeout, close waits for the cluster
    }
    return writeEach(records);
  }

  /**
   * Initializes transactions; returns whether they work. A cluster may lack the topic for
   * transactions, or deny this application the right.
   */
  private boolean begins(Producer<byte[], byte[]> producer) {
    try {
      producer.initTransactions();
      return true;
    } catch (KafkaException e) {
      LOG.info("records of {} are written without a transaction: {}", topic, e.toString());
      return false;
    }
  }

  private long writeTogether(
      List<ProducerRecord<byte[], byte[]>> records, Producer<byte[], byte[]> producer) {
    boolean commits = false;
    try {
      producer.beginTransaction();
      long last = -1;
      // Sends one record at a time: the producer splits a batch that is refused as too large, and
      // may do so endlessly.
      for (ProducerRecord<byte[], byte[]> each : records) last = producer.send(each).get().offset();
      commits = true;
      producer.commitTransaction();
      return last;
    } catch (ExecutionException e) {
      abort(producer);
      throw unwritten(none(records), e.getCause());
    } catch (KafkaException e) {
      if (!commits) abort(producer);
      boolean unknown = commits && e instanceof TimeoutException;
      throw unwritten(
          unknown
              ? "it is unknown whether all " + records.size() + " records or none are written; "
              : none(records),
          e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void abort(Producer<byte[], byte[]> producer) {
    try {
      producer.abortTransaction();
    } catch (KafkaException e) {
      LOG.debug("the cluster aborts the transaction when its time is over", e);
    }
  }

  private static String none(List<ProducerRecord<byte[], byte[]>> records) {
    return "none of " + records.size() + " records is written; ";
  }

  private long writeEach(List<ProducerRecord<byte[], byte[]>> records) {
    long last = -1;
    int written = 0;
    try (Producer<byte[], byte[]> producer = access.patientWriter()) {
      for (ProducerRecord<byte[], byte[]> each : records) {
        last = producer.send(each).get().offset();
        written++;
      }
      return last;
    } catch (ExecutionException e) {
      throw unwritten(some(written, records), e.getCause());
    } catch (KafkaException e) {
      throw unwritten(some(written, records), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static String some(int written, List<ProducerRecord<byte[], byte[]>> records) {
    return written == 0
        ? ""
        : "written: %s; perhaps written: %s; "
            .formatted(
                ids(records.subList(0, written)), ids(records.subList(written, written + 1)));
  }

  private static String ids(List<ProducerRecord<byte[], byte[]>> records) {
    int more = records.size() - MOST_NAMED;
    return records.stream()
            .limit(MOST_NAMED)
            .map(each -> PlainText.of(new String(each.key(), UTF_8)))
            .collect(joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private StartException unwritten(String what, Throwable failure) {
    StartException why = access.unwritten(failure);
    return what.isEmpty() ? why : new StartException(what + why.getMessage(), why);
  }

  private StartException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new StartException("interrupted while writing to " + topic, e);
  }

  private void createIfMissing() {
    try {
      List<PartitionInfo> known = consumer.partitionsFor(topic);
      if (known == null || known.isEmpty()) access.create();
    } catch (KafkaException e) {
      throw access.failed(e);
    }
  }

  @Override
  public void close() {
    consumer.close(CLOSE_AT_ONCE);
  }
}
