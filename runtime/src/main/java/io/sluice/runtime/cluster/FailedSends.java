package io.sluice.runtime.cluster;

import io.sluice.live.kafka.Failure;
import io.sluice.topology.intake.RecordSizes;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DefaultProductionExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;

/**
 * Handler of records that could not be sent. It is public because Kafka instantiates it by name,
 * once for each task.
 */
public final class FailedSends extends DefaultProductionExceptionHandler {
  /*
   * After a retriable failure, Kafka Streams would revive the task that sent the record. But it
   * keeps one failure for all tasks of a thread (KAFKA-16903), which any task throws at its next
   * send. With exactly-once, the record that this task processes is lost: the task is not revived,
   * and its next commit is behind the record. With at-least-once, if a broker is unreachable for
   * longer than delivery.timeout.ms, records of several tasks fail together, and all of these tasks
   * except the first commit although their records never arrived. So the thread ends without a
   * commit and is replaced. FailOnLostSendProducer covers the code paths in which Streams catches
   * the exception of a single task.
   */
  private static final String SHARED = "sluice.failed.sends";

  private Shared shared = new Shared(RecordSizes.any());
  private boolean inTransactions;

  /** Public, since Kafka instantiates the handler by name. */
  public FailedSends() {}

  /**
   * State of the handlers of all tasks.
   *
   * @param aborting I/O threads of the producers that aborted a transaction for a refused record
   */
  private record Shared(RecordSizes sizes, Set<Thread> aborting) {
    Shared(RecordSizes sizes) {
      this(sizes, Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>())));
    }
  }

  /** Passes the known sizes of records to the handlers that Kafka makes with these settings. */
  static void share(RecordSizes sizes, Map<? super String, Object> settings) {
    settings.put(SHARED, new Shared(sizes));
  }

  @Override
  public void configure(Map<String, ?> settings) {
    super.configure(settings);
    shared = (Shared) settings.get(SHARED);
    Object guarantee = settings.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
    inTransactions = StreamsConfig.EXACTLY_ONCE_V2.equals(guarantee);
  }

  /**
   * Tells {@link RecordSizes} about a record that its topic refused for its size: the known limit
   * is wrong, because the topic's settings have changed or may not be read. Processed again, the
   * record becomes a dead letter.
   */
  @Override
  public Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
    if (Failure.isOfSize(failure) && isItsOwn()) {
      shared.sizes.refused(record.topic(), record.key(), record.value(), record.headers());
    }
    return failure instanceof RetriableException
        ? Response.fail()
        : super.handleError(context, record, failure);
  }

  /**
   * Whether a refusal concerns the record that failed. When a transaction is aborted, Kafka fails
   * all unsent records of the producer, which may be of other tasks, with the exception of the
   * refused record, although their own topics would take them. So only the first failure of a
   * producer counts: after it, the stream thread is replaced, with its producer. The exceptions do
   * not tell them apart, because Kafka has one instance for all refusals.
   */
  private boolean isItsOwn() {
    return !inTransactions || shared.aborting.add(Thread.currentThread());
  }
}
