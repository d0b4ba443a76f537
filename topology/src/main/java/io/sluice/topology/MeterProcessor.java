package io.sluice.topology;

import io.sluice.limiter.HeapRows;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.RowSweeper;
import io.sluice.limiter.Rows;
import io.sluice.limiter.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Meters each event against the limits that match it, and forwards it to the node for its verdict.
 */
final class MeterProcessor extends ContextualProcessor<byte[], Event, byte[], Event> {
  private final Metered metered;
  private final EventDecoder decoder = new EventDecoder();
  private final Supplier<TopicPartition> partition = this::partition;
  private EventMeter meter;

  MeterProcessor(Metered metered) {
    this.metered = metered;
  }

  @Override
  public void init(ProcessorContext<byte[], Event> context) {
    super.init(context);
    meter = new EventMeter(metered, new RowMeter(rows(context)));
    // What Streams kept of the partition's clock; polls of it only begin after this.
    metered.prefetched().clockMs(context.taskId().partition(), context.currentStreamTimeMs());
  }

  @Override
  public void close() {
    metered.prefetched().forget(context().taskId().partition());
  }

  private Rows rows(ProcessorContext<byte[], Event> context) {
    if (!metered.keepsState()) return new HeapRows(); // no limit will ever write to it
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(Nodes.LIMITS);
    StoreRows rows = new StoreRows(store);
    List<Rule> rules = metered.everyLimit().map(Limit::rule).toList();
    IdleKeys idle = new IdleKeys(store, new RowSweeper(rows, rules));
    Duration tick = Duration.ofMillis(IdleKeys.TICK_MS);
    context.schedule(tick, PunctuationType.WALL_CLOCK_TIME, at -> idle.sweepSome(nowMs() * 1_000));
    return rows;
  }

  @Override
  public void process(Record<byte[], Event> arrived) {
    Event event = arrived.value();
    Record<byte[], Event> record = event.isOpened() ? arrived : Hop.arrive(arrived, decoder);
    if (event.isFaulty()) {
      DeadLetter.mark(record.headers(), event);
      context().forward(record.withTimestamp(event.recordTimestampMs()), Nodes.DEAD_LETTERS);
      return;
    }
    Verdict verdict = meter.meter(event, partition, nowMs());
    VerdictHeaders.write(record.headers(), verdict);
    context().forward(record.withTimestamp(event.recordTimestampMs()), verdict.kind().node);
  }

  private TopicPartition partition() {
    RecordMetadata record = context().recordMetadata().orElseThrow();
    return new TopicPartition(record.topic(), record.partition());
  }

  /**
   * The clock that the configuration chose; both are Streams' own, which the test driver can move.
   */
  private long nowMs() {
    return metered.byWallClock()
        ? context().currentSystemTimeMs()
        : context().currentStreamTimeMs();
  }

  /** Declares the store with the processor that reads it. */
  record Node(Metered metered) implements ProcessorSupplier<byte[], Event, byte[], Event> {
    @Override
    public Processor<byte[], Event, byte[], Event> get() {
      return new MeterProcessor(metered);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return metered.keepsState() ? Set.of(metered.store()) : Set.of();
    }
  }
}
