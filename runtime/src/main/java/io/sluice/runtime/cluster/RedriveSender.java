package io.sluice.runtime.cluster;

import io.sluice.live.kafka.Failure;
import io.sluice.live.kafka.KafkaAccess;
import io.sluice.live.kafka.MissingRights;
import io.sluice.live.kafka.Right;
import io.sluice.live.kafka.WriteAccess;
import io.sluice.rules.StartException;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Sender of dead letters to the input topics, each once: a letter and the record that it was sent
 * are in one transaction. Not thread-safe.
 */
public final class RedriveSender implements AutoCloseable {
  private static final String TRANSACTIONS = "-redrive";

  /**
   * Timeout of a step of a transaction, in milliseconds; longer than for a few records, since the
   * first step waits until the transaction of a killed process is aborted.
   */
  private static final int STEP_MS = 15_000;

  private final Properties streams;
  private final KafkaAccess access;
  private final String application;
  private final String record;
  private final SentLetters sent;
  private final Producer<byte[], byte[]> producer;

  /**
   * Dead letter that can be sent back.
   *
   * @param letter record on the topic of dead letters
   * @param original record for the input topic
   */
  public record Returned(
      ConsumerRecord<byte[], byte[]> letter, ProducerRecord<byte[], byte[]> original) {}

  private RedriveSender(
      SluiceConfig config,
      Properties streams,
      SentLetters sent,
      Producer<byte[], byte[]> producer) {
    this.streams = streams;
    this.sent = sent;
    this.producer = producer;
    access = new KafkaAccess(streams);
    application = config.applicationId();
    record = RedriveTopic.name(config);
  }

  /**
   * Opens a sender, and aborts the open transaction of another process with the same application.
   *
   * @param streams settings of Kafka Streams, including those of the producer
   * @param sent letters that were sent; the sender adds those that it sends
   * @throws StartException if transactions are not possible; the message says why in one line
   */
  static RedriveSender open(SluiceConfig config, Properties streams, SentLetters sent) {
    Producer<byte[], byte[]> producer =
        new WriteAccess(streams, RedriveSession.CLIENT)
            .openTransactional(config.applicationId() + TRANSACTIONS, STEP_MS);
    RedriveSender sender = new RedriveSender(config, streams, sent, producer);
    try {
      producer.initTransactions();
      return sender;
    } catch (KafkaException e) {
      sender.close();
      throw sender.failed(e);
    }
  }

  /**
   * Sends letters in one transaction, except for letters that their input topic refuses. After a
   * refusal, the other letters are sent in several transactions.
   *
   * @return the refused letters, with the reasons
   * @throws StartException if a transaction fails; the message says why in one line
   */
  public Map<Returned, String> send(Collection<Returned> letters) {
    Map<Returned, String> refused = new LinkedHashMap<>();
    send(List.copyOf(letters), refused);
    return refused;
  }

  /**
   * Sends letters in their order. Kafka fails all unsent records of a transaction with the
   * exception of one refused record, so only the refusal of a letter that was sent alone counts;
   * each suspect is sent again alone.
   */
  private void send(List<Returned> letters, Map<Returned, String> refused) {
    Map<Returned, String> suspects = attempt(letters);
    if (letters.size() == 1) refused.putAll(suspects);
    if (letters.size() == 1 || suspects.isEmpty()) return;
    List<Returned> others = new ArrayList<>();
    for (Returned each : letters) {
      if (!suspects.containsKey(each)) {
        others.add(each);
        continue;
      }
      if (!others.isEmpty()) send(List.copyOf(others), refused);
      others.clear();
      send(List.of(each), refused);
    }
    if (!others.isEmpty()) send(others, refused);
  }

  /**
   * Sends letters in one transaction. If the sends of some of them fail with a refusal, the
   * transaction is aborted.
   *
   * @return the letters whose sends failed with a refusal, which may be that of another letter; if
   *     there are none, the transaction is committed
   */
  private Map<Returned, String> attempt(List<Returned> letters) {
    try {
      producer.beginTransaction();
      Map<Returned, String> suspects = new LinkedHashMap<>();
      Optional<Throwable> failure = write(letters, suspects);
      if (!suspects.isEmpty()) {
        producer.abortTransaction();
        return suspects;
      }
      if (failure.isPresent()) throw new KafkaException(failure.get());
      commit(letters);
      return Map.of();
    } catch (KafkaException e) {
      abort();
      throw failed(e);
    }
  }

  /**
   * Ends a failed transaction, so that readers of the input topics need not wait for its timeout.
   */
  private void abort() {
    try {
      producer.abortTransaction();
    } catch (RuntimeException e) {
      // Another session has taken over, or the brokers do not answer: they abort it later.
    }
  }

  private Optional<Throwable> write(List<Returned> letters, Map<Returned, String> suspects) {
    Map<Returned, Future<RecordMetadata>> sends = new LinkedHashMap<>();
    Optional<Throwable> failure = Optional.empty();
    try {
      for (Returned each : letters) sends.put(each, producer.send(each.original));
    } catch (KafkaException e) {
      // An earlier send has failed, and its future has the cause.
      failure = Optional.of(e);
    }
    producer.flush();
    for (Map.Entry<Returned, Future<RecordMetadata>> each : sends.entrySet()) {
      Optional<Throwable> cause = failure(each.getValue());
      if (cause.isEmpty()) continue;
      if (isRefusal(cause.get())) suspects.put(each.getKey(), cause.get().getMessage());
      else if (failure.isEmpty()) failure = cause;
    }
    return failure;
  }

  private static Optional<Throwable> failure(Future<?> send) {
    try {
      send.get();
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** Whether a topic refuses a record for its size, timestamp or key, and would refuse it again. */
  private static boolean isRefusal(Throwable failure) {
    return Failure.isOfSize(failure)
        || failure instanceof InvalidTimestampException
        || failure instanceof InvalidRecordException;
  }

  private void commit(List<Returned> letters) {
    letters.forEach(each -> sent.add(RecordPosition.of(each.letter)));
    for (ProducerRecord<byte[], byte[]> each : sent.changes(record)) {
      var unused = producer.send(each); // the commit fails if the send fails
    }
    producer.commitTransaction();
    sent.written();
  }

  private StartException failed(KafkaException failure) {
    Throwable cause = Failure.of(failure).cause();
    if (cause instanceof TopicAuthorizationException denied) {
      Set<Right> missing = new LinkedHashSet<>();
      for (String each : denied.unauthorizedTopics()) {
        missing.add(Right.of(AclOperation.WRITE, ResourceType.TOPIC, each));
      }
      return new StartException(new MissingRights(missing, streams).line(), failure);
    }
    if (cause instanceof TransactionalIdAuthorizationException) {
      Right right = Right.ofAll(AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, application);
      return new StartException(new MissingRights(Set.of(right), streams).line(), failure);
    }
    if (cause instanceof ProducerFencedException
        || cause instanceof InvalidProducerEpochException) {
      return new StartException(
          "another redrive of "
              + application
              + " has started and goes on with the other letters, or this one stood still for half a"
              + " minute: if no other one runs, run it again",
          failure);
    }
    return access.failed(cause);
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
