package io.sluice.topology.delay;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;

/**
 * Clocks (latest event times) of the input partitions whose events a task meters. Kafka Streams
 * commits them in the metadata of the task's offsets, so that the next owner of the task knows
 * them. The clocks are lost if the offsets are reset.
 */
final class CommittedClocks {
  /*
   * This uses an internal API, by which Kafka Streams' own processors commit numbers in the
   * metadata of offsets. The public API offers no value that is committed with every transaction,
   * and a row in a store would cost a changelog record for each event. The simulation's context
   * lacks the internal API, and needs no committed clocks, since a simulation never restarts.
   */
  /**
   * Largest size of the clocks before Base64. Brokers refuse offset metadata of more than 4,096
   * bytes in Base64, of which Kafka Streams needs a few.
   */
  private static final int MOST_BYTES = 2_900;

  private static final int NUMBER_BYTES = Integer.BYTES + Long.BYTES;

  private final InternalProcessorContext<?, ?> context;
  private boolean full;

  CommittedClocks(ProcessorContext<?, ?> context) {
    this.context = context instanceof InternalProcessorContext<?, ?> streams ? streams : null;
  }

  /**
   * Returns the clock of an input partition, epoch milliseconds, or {@link
   * ConsumerRecord#NO_TIMESTAMP} if it is unknown.
   */
  long of(String input) {
    Long clockMs = context == null ? null : context.processorMetadataForKey(input);
    return clockMs == null ? ConsumerRecord.NO_TIMESTAMP : clockMs;
  }

  /**
   * Sets the clock of an input partition. As soon as the name of a further partition does not fit
   * into the offset metadata, the clocks of all further partitions are left out.
   *
   * @param input name of the input partition
   * @param clockMs latest event time, epoch milliseconds
   */
  void set(String input, long clockMs) {
    if (context == null) return;
    if (context.processorMetadataForKey(input) == null) {
      full = full || !fits(input);
      if (full) return;
    }
    context.addProcessorMetadataKeyValue(input, clockMs);
  }

  private boolean fits(String input) {
    int bytes = context.processorMetadata().serialize().length;
    return bytes + input.length() + NUMBER_BYTES <= MOST_BYTES;
  }
}
