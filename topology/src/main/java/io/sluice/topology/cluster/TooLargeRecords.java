package io.sluice.topology.cluster;

import io.sluice.topology.intake.RecordSizes;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.DefaultProductionExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;

/**
 * A handler that learns that a topic takes less than was read at start: somebody may have altered
 * it since, or nobody may read it. What was being processed is processed again, and then the record
 * is a dead letter. Kafka makes one for each thread, by its name, so it must be public.
 */
public final class TooLargeRecords extends DefaultProductionExceptionHandler {
  static final String SIZES = "sluice.record.sizes";

  private RecordSizes sizes = RecordSizes.any();

  /** For Kafka. */
  public TooLargeRecords() {}

  @Override
  public void configure(Map<String, ?> settings) {
    super.configure(settings);
    sizes = (RecordSizes) settings.get(SIZES);
  }

  @Override
  public Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
    if (failure instanceof RecordTooLargeException) {
      sizes.refused(record.topic(), record.key(), record.value(), record.headers());
    }
    return super.handleError(context, record, failure);
  }
}
