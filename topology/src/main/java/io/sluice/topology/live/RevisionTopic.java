package io.sluice.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.topology.cluster.LimitsTopic;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.StartException;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.RevisionReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * The topic of revisions of an application, read from its beginning to its end, and written to.
 * Reads as no member of any group, and leaves no trace. Not thread-safe.
 */
public final class RevisionTopic implements AutoCloseable {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final CloseOptions CLOSE_AT_ONCE = CloseOptions.timeout(Duration.ZERO);

  /** After so many polls without anything it asks whether anybody is there. */
  private static final int MOST_SILENT_POLLS = 5;

  private final String topic;
  private final boolean creates;
  private final LimitsTopic access;
  private final Consumer<byte[], byte[]> consumer;

  private RevisionTopic(SluiceConfig config) {
    topic = config.topics().limits();
    creates = config.topics().create();
    access = LimitsTopic.ofCommands(config);
    consumer = access.patientReader();
  }

  /**
   * Connects.
   *
   * @param config of an application whose limits are live
   * @throws StartException if there is certainly no way to the cluster, saying why in one line
   */
  public static RevisionTopic open(SluiceConfig config) {
    return new RevisionTopic(config);
  }

  /**
   * What the topic holds.
   *
   * @param exists whether the topic is there; otherwise writing creates it
   * @param end the offset that the next record gets, if nobody else writes
   */
  public record Contents(
      boolean exists, List<Written> revisions, List<Unreadable> unreadable, long end) {}

  /**
   * A revision of which this is the last record.
   *
   * @param firstWrittenAtMs the timestamp of the first record that is left with this id
   */
  public record Written(LimitRevision revision, long offset, long atMs, long firstWrittenAtMs) {}

  /**
   * A record that is no revision.
   *
   * @param id the record's key; empty if it has none
   */
  public record Unreadable(String id, String problem, long offset, long atMs) {}

  /**
   * Reads what is committed, from the beginning to the end as it is now.
   *
   * @throws StartException if it cannot be read, saying why in one line
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

  /** The same; nothing if there is no such topic. */
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
      // A consumer tries for ever, and says nothing; a question has an answer, or fails in time.
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
   * Writes revisions, and creates the topic if it is missing.
   *
   * @return the offset of the last one
   * @throws StartException if not all of them were written, saying why in one line
   */
  public long publish(List<LimitRevision> revisions) {
    return write(
        revisions.stream()
            .map(each -> record(each.id(), RevisionReader.json(each).getBytes(UTF_8)))
            .toList());
  }

  /**
   * Takes records back, as if they had never been.
   *
   * @return the offset of the last one that says so
   * @throws StartException if not all of that was written, saying why in one line
   */
  public long takeBack(List<String> ids) {
    return write(ids.stream().map(each -> record(each, null)).toList());
  }

  private ProducerRecord<byte[], byte[]> record(String id, byte[] value) {
    return new ProducerRecord<>(topic, access.partition().partition(), id.getBytes(UTF_8), value);
  }

  private long write(List<ProducerRecord<byte[], byte[]>> records) {
    createIfMissing();
    long last = -1;
    int written = 0;
    try (Producer<byte[], byte[]> producer = access.patientWriter()) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (ProducerRecord<byte[], byte[]> each : records) sent.add(producer.send(each));
      for (Future<RecordMetadata> each : sent) {
        last = each.get().offset();
        written++;
      }
      return last;
    } catch (ExecutionException e) {
      throw notAll(written, records.size(), access.unwritten(e.getCause()));
    } catch (KafkaException e) {
      throw notAll(written, records.size(), access.unwritten(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted while writing to " + topic, e);
    }
  }

  private void createIfMissing() {
    try {
      List<PartitionInfo> known = consumer.partitionsFor(topic);
      if (known == null || known.isEmpty()) access.create();
    } catch (KafkaException e) {
      throw access.failed(e);
    }
  }

  private static StartException notAll(int written, int all, StartException why) {
    if (written == 0) return why;
    String some = written + " of " + all + " are written, and the others perhaps; ";
    return new StartException(some + why.getMessage(), why);
  }

  @Override
  public void close() {
    consumer.close(CLOSE_AT_ONCE);
  }
}
