package io.sluice.live.kafka;

import io.sluice.rules.StartException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writer of control records, which each partition of a topic gets: in one transaction, if the
 * cluster permits it. Not thread-safe.
 */
public final class ControlWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ControlWriter.class);
  private static final String CLIENT = "sluice-control";
  private static final Duration MOST_CLOSING = Duration.ofSeconds(2);

  private final String topic;
  private final String applicationId;
  private final Properties streams;

  /**
   * @param streams settings of Kafka Streams, including those of its clients
   */
  public ControlWriter(String topic, String applicationId, Properties streams) {
    this.topic = topic;
    this.applicationId = applicationId;
    this.streams = streams;
  }

  /**
   * Writes a record to each partition of the topic.
   *
   * @return the number of partitions
   * @throws StartException if not all records were written; the message says why in one line
   */
  public int write(Header header, byte[] value) {
    int partitions = partitions();
    List<ProducerRecord<byte[], byte[]>> records =
        IntStream.range(0, partitions)
            .mapToObj(
                each ->
                    new ProducerRecord<byte[], byte[]>(topic, each, null, value, List.of(header)))
            .toList();
    if (!isWrittenTogether(records)) writeEach(records);
    return partitions;
  }

  private int partitions() {
    KafkaAccess access = new KafkaAccess(streams);
    try (Admin admin = access.open()) {
      return access
          .answer(
              admin.describeTopics(Set.of(topic)).topicNameValues().get(topic),
              UnknownTopicOrPartitionException.class)
          .partitions()
          .size();
    } catch (UnknownTopicOrPartitionException e) {
      throw new StartException("there is no topic " + topic + ": no event waits", e);
    }
  }

  /** Returns false if transactions do not work, and nothing is written. */
  private boolean isWrittenTogether(List<ProducerRecord<byte[], byte[]>> records) {
    WriteAccess access = new WriteAccess(streams, CLIENT);
    String id = applicationId + "-control-" + UUID.randomUUID();
    Producer<byte[], byte[]> producer =
        access.openTransactional(id, WriteAccess.TRANSACTION_STEP_MS);
    try {
      if (!begins(producer)) return false;
      writeTogether(records, producer, access);
      return true;
    } finally {
      producer.close(MOST_CLOSING); // without a timeout, close waits for the cluster
    }
  }

  /** A cluster may lack the topic for transactions, or deny this application the right. */
  private boolean begins(Producer<byte[], byte[]> producer) {
    try {
      producer.initTransactions();
      return true;
    } catch (KafkaException e) {
      LOG.info("control records of {} are written without a transaction: {}", topic, e.toString());
      return false;
    }
  }

  private void writeTogether(
      List<ProducerRecord<byte[], byte[]>> records,
      Producer<byte[], byte[]> producer,
      WriteAccess access) {
    boolean commits = false;
    try {
      producer.beginTransaction();
      for (ProducerRecord<byte[], byte[]> each : records) producer.send(each).get();
      commits = true;
      producer.commitTransaction();
    } catch (ExecutionException e) {
      abort(producer);
      throw unwritten("nothing is written; ", access.failed(e.getCause(), topic));
    } catch (KafkaException e) {
      if (!commits) abort(producer);
      boolean unknown = commits && e instanceof TimeoutException;
      String what =
          unknown ? "it is unknown whether the order is written; " : "nothing is written; ";
      throw unwritten(what, access.failed(e, topic));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static void abort(Producer<byte[], byte[]> producer) {
    try {
      producer.abortTransaction();
    } catch (KafkaException e) {
      LOG.debug("the cluster aborts the transaction when its time is over", e);
    }
  }

  private void writeEach(List<ProducerRecord<byte[], byte[]>> records) {
    WriteAccess access = new WriteAccess(streams, CLIENT);
    int written = 0;
    try (Producer<byte[], byte[]> producer = access.open()) {
      for (ProducerRecord<byte[], byte[]> each : records) {
        producer.send(each).get();
        written++;
      }
    } catch (ExecutionException e) {
      throw unwritten(some(written, records.size()), access.failed(e.getCause(), topic));
    } catch (KafkaException e) {
      throw unwritten(some(written, records.size()), access.failed(e, topic));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static String some(int written, int all) {
    return "written to " + written + " of " + all + " partitions; ";
  }

  private static StartException unwritten(String what, StartException why) {
    return new StartException(what + why.getMessage(), why);
  }

  private StartException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new StartException("interrupted while writing to " + topic, e);
  }
}
