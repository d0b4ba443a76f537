package io.sluice.topology.delay;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;

/**
 * Clocks of a task's input partitions, committed with its offsets, so that the next owner of the
 * task knows them. They are lost if the offsets are reset.
 */
final class CommittedClocks {
  /*
   * Kafka Streams commits numbers of its own processors in the metadata of offsets. Its public API
   * has no value that is committed with every transaction; a row in a store costs a record on the
   * changelog for each event. The simulation has no such context, and never restarts.
   */
  /** Brokers refuse metadata of more than 4,096 bytes, in Base64, of which Streams needs a few. */
  private static final int MOST_BYTES = 2_900;

  private static final int NUMBER_BYTES = Integer.BYTES + Long.BYTES;

  private final InternalProcessorContext<?, ?> context;
  private boolean full;

  CommittedClocks(ProcessorContext<?, ?> context) {
    this.context = context instanceof InternalProcessorContext<?, ?> streams ? streams : null;
  }

  /** Returns the clock of an input, or {@link ConsumerRecord#NO_TIMESTAMP} if none is known. */
  long of(String input) {
    Long clockMs = context == null ? null : context.processorMetadataForKey(input);
    return clockMs == null ? ConsumerRecord.NO_TIMESTAMP : clockMs;
  }

  /**
   * Sets the clock of an input. If there are so many inputs that their names do not fit into the
   * metadata, those that came last are left out.
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
