package io.sluice.topology;

import io.sluice.limiter.RowMeter;
import io.sluice.limiter.RowSweeper;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.rows.HeapRows;
import io.sluice.limiter.rows.Rows;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
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
  private final DelayPath path;
  private final ThreadShare.Threads sweeping;
  private Optional<IdleKeys> idleKeys = Optional.empty();
  private final CommitPace pace = new CommitPace(() -> context().commit());
  private final DeadLetters deadLetters;
  private EventMeter meter;
  private Turns turns;
  private Cancellable sweeps = () -> {};

  MeterProcessor(
      Metered metered, DelayPath path, ThreadShare.Threads sweeping, DeadLetters deadLetters) {
    this.metered = metered;
    this.path = path;
    this.sweeping = sweeping;
    this.deadLetters = deadLetters;
  }

  @Override
  public void init(ProcessorContext<byte[], Event> context) {
    super.init(context);
    meter = new EventMeter(metered, new RowMeter(rows(context)));
    turns = Turns.of(path, context);
    // What Streams kept of the partition's clock; polls of it only begin after this.
    metered.prefetched().get().clockMs(partition(), context.currentStreamTimeMs());
    metered.instruments().addTo(context.metrics());
  }

  /** It may not be the end: Streams gives a task that it revives the same object to init again. */
  @Override
  public void close() {
    sweeps.cancel();
    metered.prefetched().get().forget(partition());
    metered.breaker().forget(partition());
    idleKeys.ifPresent(IdleKeys::close);
  }

  private Rows rows(ProcessorContext<byte[], Event> context) {
    if (!metered.keepsState()) return new HeapRows(); // no limit will ever write to it
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(Nodes.LIMITS);
    StoreRows rows = new StoreRows(store);
    List<Rule> rules = metered.everyLimit().map(Limit::rule).toList();
    IdleKeys idle = new IdleKeys(store, new RowSweeper(rows, rules), path.wallMs(), sweeping);
    idleKeys = Optional.of(idle);
    Duration tick = Duration.ofMillis(IdleKeys.TICK_MS);
    sweeps =
        context.schedule(
            tick, PunctuationType.WALL_CLOCK_TIME, at -> idle.sweepSome(earliestMicros(context)));
    return rows;
  }

  private long earliestMicros(ProcessorContext<?, ?> context) {
    long partitionMs = context.currentStreamTimeMs();
    return metered.clock().earliestMs(partitionMs, context.currentSystemTimeMs()) * 1_000;
  }

  @Override
  public void process(Record<byte[], Event> arrived) {
    Event event = arrived.value();
    Record<byte[], Event> record = event.isOpened() ? arrived : arrivedByHop(arrived);
    if (event.isFaulty()) {
      context().forward(deadLetters.of(record), Nodes.DEAD_LETTERS);
      return;
    }
    Verdict verdict = verdict(event);
    metered.instruments().verdicts().count(verdict);
    Record<byte[], Event> leaving = dated(record, event.recordTimestampMs());
    VerdictHeaders.write(leaving.headers(), verdict);
    if (verdict.kind() == Verdict.Kind.DELAYED) VerdictHeaders.origin(leaving.headers(), event);
    context().forward(leaving, verdict.kind().node);
  }

  /** Its event is opened now, unless it was when a poll brought it. */
  private Record<byte[], Event> arrivedByHop(Record<byte[], Event> arrived) {
    Event event = arrived.value();
    if (metered.usesRedis()) context().recordMetadata().ifPresent(pace::passed);
    context()
        .recordMetadata()
        .flatMap(this::prefetched)
        .ifPresentOrElse(
            event::openedAs, () -> Hop.open(event, arrived.headers(), metered.decoder()));
    return Hop.arrive(arrived);
  }

  private Optional<Event> prefetched(RecordMetadata record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    return metered.prefetched().get().take(partition, record.offset());
  }

  /** With another timestamp it is another record, with a copy of all headers there are. */
  private static Record<byte[], Event> dated(Record<byte[], Event> record, long timestampMs) {
    return record.timestamp() == timestampMs ? record : record.withTimestamp(timestampMs);
  }

  private Verdict verdict(Event event) {
    long comesAtMs = metered.comesAtMs(context(), event);
    Verdict verdict =
        meter.meter(event, partition(), comesAtMs, position(event)).onAttempt(event.attempt());
    return verdict.isToBeRetried()
        ? RetryPlan.complete(verdict, event.view())
        : turns.keepOrder(verdict, event, context().currentSystemTimeMs());
  }

  /** Only the first metering follows a record of what is read in order. */
  private Position position(Event event) {
    boolean asks = metered.usesRedis() && event.question().isEmpty();
    if (!asks || event.attempt() > 1) return Position.NONE;
    return context().recordMetadata().map(metered.sequences()::atItsTurn).orElse(Position.NONE);
  }

  /** Of every topic that the task reads. */
  private int partition() {
    return context().taskId().partition();
  }

  /** Declares the store with the processor that reads it. */
  record Node(
      Metered metered, DelayPath path, ThreadShare.Threads sweeping, DeadLetters deadLetters)
      implements ProcessorSupplier<byte[], Event, byte[], Event> {
    Node(Metered metered, DelayPath path, DeadLetters deadLetters) {
      this(metered, path, new ThreadShare.Threads(), deadLetters);
    }

    @Override
    public Processor<byte[], Event, byte[], Event> get() {
      return new MeterProcessor(metered, path, sweeping, deadLetters);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return metered.keepsState()
          ? Set.of(metered.store(), path.waiting(), path.turns())
          : Set.of(path.waiting(), path.turns());
    }
  }
}
