package io.sluice.topology.delay;

import io.sluice.limiter.EventHash;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorMetadata;

/**
 * Clocks of a task's input partitions, committed with its offsets, so that the next owner of the
 * task knows them.
 */
public final class CommittedClocks {
  /*
   * Kafka Streams commits numbers of its own processors in the metadata of offsets. Its public API
   * has no value that is committed with every transaction; a row in a store costs a record on the
   * changelog for each event. The metadata is in the offsets of all inputs of the task and survives
   * a reset of some of them, so the offset of the event that set the clock is beside it. Names are
   * hashed to fit. The simulation has no such context, and never restarts.
   */

  /** Brokers refuse metadata of more than 4,096 bytes, in Base64, of which Streams needs a few. */
  private static final int MOST_BYTES = 2_900;

  private static final int RADIX = 36;

  /**
   * Largest size in bytes of the two metadata entries of a clock. Each entry has the length of its
   * key, the key, and a number. A key is a hash in base 36, at most 13 digits and a sign; the key
   * of the offset has one letter more.
   */
  private static final int MOST_CLOCK_BYTES = 2 * (Integer.BYTES + 14 + Long.BYTES) + 1;

  private final String prefix;
  private final InternalProcessorContext<?, ?> context;
  private boolean cleared;
  private boolean full;

  /**
   * Context of a node in the topology of another application, which may have several such nodes.
   */
  public interface Part {
    /** Returns the prefix of the names of this node's stores. */
    String prefix();

    /** Returns the context that Kafka Streams gave to the node. */
    ProcessorContext<?, ?> task();
  }

  /**
   * @param context of the node; null to commit nothing
   */
  CommittedClocks(ProcessorContext<?, ?> context) {
    boolean isPart = context instanceof Part;
    prefix = isPart ? ((Part) context).prefix() : "";
    ProcessorContext<?, ?> task = isPart ? ((Part) context).task() : context;
    this.context = task instanceof InternalProcessorContext<?, ?> streams ? streams : null;
  }

  Clock of(String input) {
    return new Clock(Long.toString(EventHash.of(prefix + input), RADIX));
  }

  /** Clock of an input partition. */
  final class Clock {
    private final String clockKey;
    private final String offsetKey;

    private Clock(String key) {
      clockKey = key;
      offsetKey = key + "o";
    }

    /** Returns the committed clock, or {@link ConsumerRecord#NO_TIMESTAMP} if none is known. */
    long ms() {
      return number(clockKey);
    }

    /** Returns the offset in the input of the event that set the clock; -1 if none is known. */
    long offset() {
      return number(offsetKey);
    }

    private long number(String key) {
      Long number = context == null ? null : context.processorMetadataForKey(key);
      return number == null ? ConsumerRecord.NO_TIMESTAMP : number;
    }

    /**
     * Sets the clock. If the clocks of all inputs do not fit into the metadata, those of inputs
     * that no longer exist leave it, and then those that came last are left out.
     */
    void set(long clockMs, long offset) {
      if (context == null) return;
      if (number(clockKey) < 0 && !fits()) return;
      context.addProcessorMetadataKeyValue(clockKey, clockMs);
      context.addProcessorMetadataKeyValue(offsetKey, offset);
    }
  }

  private boolean fits() {
    if (full) return false;
    if (context.processorMetadata().serialize().length + MOST_CLOCK_BYTES <= MOST_BYTES)
      return true;
    full = cleared;
    if (full) return false;
    cleared = true;
    context.setProcessorMetadata(new ProcessorMetadata()); // inputs with events add theirs again
    return true;
  }
}
