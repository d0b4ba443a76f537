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
 * once for each thread.
 */
public final class FailedSends extends DefaultProductionExceptionHandler {
  /*
   * With at-least-once and a retriable failure, Kafka Streams would revive the task that sent the
   * record. But it keeps one failure for all tasks of a thread (KAFKA-16903): if a broker is
   * unreachable for longer than delivery.timeout.ms, records of several tasks fail together, and
   * all of these tasks except the first commit although their records never arrived. So the thread
   * ends without a commit and is replaced. With exactly-once the transaction is aborted anyway.
   * FailOnLostSendProducer covers the code paths in which Streams catches the exception of a single
   * task.
   */
  static final String SIZES = "sluice.record.sizes";

  private RecordSizes sizes = RecordSizes.any();

  /**
   * Failures of records that a topic refused for their size. When a transaction is aborted, Kafka
   * fails all unsent records with the same exception, although their own topics would take them; so
   * each exception counts once.
   */
  private final Set<Throwable> refusals =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private boolean revivesOneTask;

  /** Public, since Kafka instantiates the handler by name. */
  public FailedSends() {}

  @Override
  public void configure(Map<String, ?> settings) {
    super.configure(settings);
    sizes = (RecordSizes) settings.get(SIZES);
    Object guarantee = settings.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
    revivesOneTask = !StreamsConfig.EXACTLY_ONCE_V2.equals(guarantee);
  }

  /**
   * Tells {@link RecordSizes} about a record that its topic refused for its size: the known limit
   * is wrong, because the topic's settings have changed or may not be read. Processed again, the
   * record becomes a dead letter.
   */
  @Override
  public Response handleError(
      ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
    if (Failure.isOfSize(failure) && refusals.add(failure)) {
      sizes.refused(record.topic(), record.key(), record.value(), record.headers());
    }
    return revivesOneTask && failure instanceof RetriableException
        ? Response.fail()
        : super.handleError(context, record, failure);
  }
}
