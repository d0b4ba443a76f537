package io.sluice.topology.cluster;

import io.sluice.topology.intake.RecordSizes;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DefaultProductionExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;

/**
 * A handler of records that could not be sent. Kafka makes one for each thread, by its name, so it
 * must be public.
 */
public final class FailedSends extends DefaultProductionExceptionHandler {
  /*
   * At least once, and if trying again might help, Streams revives the task whose record it was.
   * But it keeps one failure for all tasks of a thread (KAFKA-16903): when a broker is gone for
   * longer than delivery.timeout.ms, records of several tasks fail together, and all of these tasks
   * but the first commit what never arrived. So the thread ends, which commits nothing, and is
   * replaced. Exactly once, the transaction is aborted in any case. UnforgettingProducer is for the
   * ways on which Streams catches what one task throws.
   */
  static final String SIZES = "sluice.record.sizes";

  private RecordSizes sizes = RecordSizes.any();

  /**
   * Failures of refused records. When a transaction is aborted, Kafka fails all records that are
   * not sent yet with the same exception, though their own topics would take them.
   */
  private final Set<Throwable> refusals =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private boolean revivesOneTask;

  /** For Kafka. */
  public FailedSends() {}

  @Override
  public void configure(Map<String, ?> settings) {
    super.configure(settings);
    sizes = (RecordSizes) settings.get(SIZES);
    Object guarantee = settings.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
    revivesOneTask = !StreamsConfig.EXACTLY_ONCE_V2.equals(guarantee);
  }

  /**
   * A topic that refuses a record for its size takes less than is known: its settings were altered
   * since the start, or may not be read. The record is processed again, and is a dead letter then.
   */
  @Override
  public Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
    if (isOfSize(failure) && refusals.add(failure)) {
      sizes.refused(record.topic(), record.key(), record.value(), record.headers());
    }
    return revivesOneTask && failure instanceof RetriableException
        ? Response.fail()
        : super.handleError(context, record, failure);
  }

  /** Whether a record is larger than a topic takes in one, or than a segment of it. */
  static boolean isOfSize(Throwable failure) {
    return failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException;
  }
}
