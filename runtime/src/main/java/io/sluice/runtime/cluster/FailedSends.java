package io.sluice.runtime.cluster;

import io.sluice.topology.intake.RecordSizes;
import java.util.Map;
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
   * commit and is replaced. ThreadProducer covers the code paths in which Streams catches the
   * exception of a single task.
   */
  private static final String SHARED = "sluice.failed.sends";

  private RefusedRecords refusals = new RefusedRecords(RecordSizes.any());
  private boolean inTransactions;

  /** Public, since Kafka instantiates the handler by name. */
  public FailedSends() {}

  /** Passes the refusals to the handlers that Kafka makes with these settings. */
  static void share(RefusedRecords refusals, Map<? super String, Object> settings) {
    settings.put(SHARED, refusals);
  }

  @Override
  public void configure(Map<String, ?> settings) {
    super.configure(settings);
    refusals = (RefusedRecords) settings.get(SHARED);
    Object guarantee = settings.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
    inTransactions = StreamsConfig.EXACTLY_ONCE_V2.equals(guarantee);
  }

  @Override
  public Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
    refusals.failed(record, failure, inTransactions);
    return failure instanceof RetriableException
        ? Response.fail()
        : super.handleError(context, record, failure);
  }
}
