package io.sluice.topology.delay;

import io.sluice.limiter.EventHash;
import io.sluice.topology.intake.NodeContext;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
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

  /**
   * Brokers write all offsets that a thread commits as one batch of at most 1 MiB, and one thread
   * may have all tasks. Each task commits the metadata for each of its input partitions, of which
   * five are assumed.
   */
  private static final int MOST_BYTES_OF_TASKS = 450_000 / 5;

  private static final int RADIX = 36;

  /**
   * Largest size in bytes of the two metadata entries of a clock. Each entry has the length of its
   * key, the key, and a number. A key is a hash in base 36, at most 13 digits and a sign; the key
   * of the offset has one letter more.
   */
  private static final int MOST_CLOCK_BYTES = 2 * (Integer.BYTES + 14 + Long.BYTES) + 1;

  private final String prefix;
  private final InternalProcessorContext<?, ?> context;
  private final int mostBytes;
  private boolean cleared;
  private boolean full;

  /**
   * @param context of the node; null to commit nothing
   * @param tasks number of tasks that a thread may have
   */
  CommittedClocks(ProcessorContext<?, ?> context, int tasks) {
    prefix = context instanceof NodeContext<?, ?> node ? node.prefix() : "";
    ProcessorContext<?, ?> task = context instanceof NodeContext<?, ?> node ? node.task() : context;
    this.context = task instanceof InternalProcessorContext<?, ?> streams ? streams : null;
    mostBytes = Math.min(MOST_BYTES, MOST_BYTES_OF_TASKS / tasks);
  }

  /**
   * Makes the metadata small enough if it is too large at the start of a task. Kafka Streams unites
   * the metadata of all input partitions, and partitions without events keep that of an earlier
   * run.
   *
   * @param inputs the inputs whose clocks stay, as many as fit
   */
  void reduceTo(Collection<String> inputs) {
    if (context == null || context.processorMetadata().serialize().length <= mostBytes) return;
    Map<Clock, Long> clocks = new LinkedHashMap<>();
    Map<Clock, Long> offsets = new HashMap<>();
    for (String input : inputs) {
      Clock clock = of(input);
      clocks.put(clock, clock.ms());
      offsets.put(clock, clock.offset());
    }
    clear();
    clocks.forEach((clock, ms) -> clock.set(ms, offsets.get(clock)));
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
      if (clockMs < 0 || (number(clockKey) < 0 && !fits())) return;
      context.addProcessorMetadataKeyValue(clockKey, clockMs);
      context.addProcessorMetadataKeyValue(offsetKey, offset);
    }
  }

  private boolean fits() {
    if (full) return false;
    if (hasRoom()) return true;
    full = cleared;
    if (full) return false;
    clear(); // inputs with events add theirs again
    return hasRoom();
  }

  private boolean hasRoom() {
    return context.processorMetadata().serialize().length + MOST_CLOCK_BYTES <= mostBytes;
  }

  private void clear() {
    cleared = true;
    context.setProcessorMetadata(new ProcessorMetadata());
  }
}
