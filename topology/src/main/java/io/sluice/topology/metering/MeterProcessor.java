package io.sluice.topology.metering;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Metering;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.RowSweeper;
import io.sluice.limiter.Rule;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.HeapRows;
import io.sluice.limiter.rows.Rows;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.OptionalKey;
import io.sluice.rules.limit.RetryPlan;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.topology.delay.DelayPath;
import io.sluice.topology.delay.KeyOrder;
import io.sluice.topology.delay.Retries;
import io.sluice.topology.delay.ThreadBudget;
import io.sluice.topology.intake.CommitPace;
import io.sluice.topology.intake.EventBatch;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.NodeContext;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.queue.EventQueue;
import io.sluice.topology.queue.QueueMeter;
import io.sluice.topology.redis.PendingVerdict;
import io.sluice.topology.store.HeapStores;
import io.sluice.topology.watch.Watch.ThreadWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Processor node of Kafka Streams that meters each event against the limits that match the event,
 * and forwards the event to the sink for its verdict.
 */
public final class MeterProcessor
    extends ContextualProcessor<byte[], EventRecord, byte[], EventRecord> {
  private static final String REMEDY =
      "its count in Redis cannot be used; delete the key, and publish the event again: ";

  private final Node parts;
  private final MeteringServices services;
  private final BooleanSupplier paced;
  private final CommitPace pace = new CommitPace(() -> context().commit());
  private Optional<IdleKeys> idleKeys = Optional.empty();
  private NodeContext<byte[], EventRecord> node;
  private EventMeter meter;
  private KeyOrder keyOrder;
  private Retries retries;
  private EventQueue queue;
  private ThreadWatch watch;
  private Cancellable sweeps = () -> {};

  MeterProcessor(Node parts) {
    this.parts = parts;
    services = parts.retries().services();
    paced = services.paced();
  }

  @Override
  public void init(ProcessorContext<byte[], EventRecord> task) {
    node = NodeContext.of(task, parts.context());
    super.init(node);
    open(node);
  }

  private void open(ProcessorContext<byte[], EventRecord> context) {
    retries = new Retries(parts.retries(), context, this::meter);
    Conditions conditions = parts.conditions().with(now -> earliestMicros());
    RowMeter rows = new RowMeter(rows(context), conditions);
    meter = new EventMeter(services, rows, partition());
    keyOrder = parts.retries().path().orderIn(context);
    queue = new EventQueue(parts.queue(), context, new MeterOfQueue());
    watch = services.instruments().watch().ofThread();
    // Sets the partition's clock to the stream time that Streams has stored, before the first poll.
    services.opener().prefetched().clockMs(partition(), context.currentStreamTimeMs());
    services.instruments().addTo(context.metrics());
  }

  /**
   * Releases the resources of the task. Kafka Streams may revive the task and then call {@code
   * init} on this object again.
   */
  @Override
  public void close() {
    sweeps.cancel();
    if (retries != null) retries.close();
    if (queue != null) queue.close();
    services.opener().prefetched().forget(partition());
    services.breaker().forget(partition());
    idleKeys.ifPresent(IdleKeys::close);
  }

  private Rows rows(ProcessorContext<byte[], EventRecord> context) {
    // If no limit may count in the state store, the meter gets rows on the heap, which stay empty.
    if (!parts.keepsState()) return new HeapRows();
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(Nodes.LIMITS);
    StoreRows rows = new StoreRows(store);
    RowSweeper sweeper = new RowSweeper(rows, new KnownRules(services.limits()));
    IdleKeys idle = new IdleKeys(store, sweeper, parts.retries().path().wallMs(), parts.sweeping());
    idleKeys = Optional.of(idle);
    Duration tick = Duration.ofMillis(IdleKeys.TICK_MS);
    sweeps =
        context.schedule(
            tick, PunctuationType.WALL_CLOCK_TIME, at -> idle.sweepSome(earliestMicros()));
    return rows;
  }

  @Override
  public void process(Record<byte[], EventRecord> arrived) {
    Optional<EventBatch> batch = arrived.value().batch();
    retries.begin();
    batch.ifPresent(this::askAgain);
    node.process(arrived, this::take);
    batch.ifPresent(
        done ->
            services
                .opener()
                .prefetched()
                .processed(done.partition(), done.offset(done.size() - 1)));
  }

  /**
   * Asks Redis about the events of a batch that it has not answered about, all at once: single
   * calls could take longer than a transaction may last.
   */
  private void askAgain(EventBatch batch) {
    List<PendingVerdict> open = new ArrayList<>();
    for (Record<byte[], EventRecord> each : batch.records()) {
      each.value().question().filter(question -> !question.isAnswered()).ifPresent(open::add);
    }
    if (open.size() > 1 && !services.breaker().isGone())
      services.breaker().askAhead(open.iterator());
  }

  private void take(Record<byte[], EventRecord> arrived) {
    EventRecord event = arrived.value();
    if (event.isTick()) {
      retries.tick();
      queue.tick();
      return;
    }
    if (event.isControl()) {
      queue.order(arrived);
      return;
    }
    if (event.hasWaited()) retries.open(arrived);
    boolean hopped = !event.isOpened() || node.isHopped();
    Record<byte[], EventRecord> record = hopped ? arrivedByHop(arrived) : arrived;
    if (event.isFaulty()) {
      context().forward(parts.retries().deadLetters().of(record), Nodes.DEAD_LETTERS);
      return;
    }
    if (event.hasWaited()) {
      retries.add(record, event.dueMs());
    } else {
      retries.reach(event, hopped);
      meter(record);
    }
    retries.meterDue(event);
  }

  private void meter(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    if (event.isFaulty()) {
      context().forward(parts.retries().deadLetters().of(record), Nodes.DEAD_LETTERS);
      return;
    }
    long wallMs = context().currentSystemTimeMs();
    LimitsInForce limits = services.limits().now();
    Position position = position(event, limits);
    Verdict verdict;
    try {
      Optional<Matching> queued = queued(event, limits, wallMs);
      if (queued.isPresent()) {
        queue.arrive(record, queued.get());
        return;
      }
      verdict = verdict(event, limits, position, wallMs);
    } catch (UnreadableKeyException e) {
      // Only this event becomes a dead letter; events with other keys are metered.
      event.refused(unreadable(e));
      context().forward(parts.retries().deadLetters().of(record), Nodes.DEAD_LETTERS);
      return;
    }
    Record<byte[], EventRecord> leaving =
        judged(record, whole(verdict, event, limits, retries.comesAtMs(event)), wallMs);
    if (verdict.isAwaitingRedis()) {
      DelayHeaders.askedAs(leaving.headers(), position);
      retries.setAside(leaving);
    } else if (verdict.metersAgain()) {
      retries.add(leaving, verdict.dueMs());
    }
    if (!retries.holdsBack(leaving, verdict.kind()))
      context().forward(leaving, Nodes.of(verdict.kind()));
  }

  private static UnreadableEventException unreadable(UnreadableKeyException why) {
    return new UnreadableEventException(FaultKind.UNREADABLE_COUNT, REMEDY + why.getMessage());
  }

  /**
   * Returns the limits that match an event if it may have to wait in line, so that it is metered by
   * the wall clock; empty for other events.
   */
  private Optional<Matching> queued(EventRecord event, LimitsInForce limits, long wallMs) {
    if (!queue.isNeeded()) return Optional.empty();
    Matching matching = limits.matchingAtAnyHour(event.event(), wallMs);
    return matching.queues() ? Optional.of(matching) : Optional.empty();
  }

  /** Counts a verdict, and returns the record with the headers of the verdict. */
  private Record<byte[], EventRecord> judged(
      Record<byte[], EventRecord> record, Verdict verdict, long wallMs) {
    EventRecord event = record.value();
    services.instruments().count(verdict);
    watch.count(verdict, event.event(), wallMs);
    Record<byte[], EventRecord> leaving = dated(record, event.timestampMs());
    services.config().headers().write(leaving.headers(), verdict);
    if (verdict.kind() == Verdict.Kind.DELAYED)
      DelayHeaders.origin(leaving.headers(), event.origin());
    return leaving;
  }

  /**
   * Returns the instant before which no later event is metered, epoch microseconds. Events in line
   * are metered by the wall clock, from the release before.
   */
  private long earliestMicros() {
    long earliest = retries.earliestMicros();
    return queue.isNeeded() ? Math.min(earliest, queue.earliestMs() * 1_000) : earliest;
  }

  /** Meters the events that wait in line, and writes their verdicts. */
  private final class MeterOfQueue implements QueueMeter {
    @Override
    public Outcome meter(EventRecord event, Matching matching, Arrival arrival) {
      Position position =
          arrival.isRelease() ? Position.NONE : position(event, services.limits().now());
      return meter.meterQueued(event, matching, arrival, position);
    }

    @Override
    public Metering probe(Arrival arrival, List<Bucket> stored) {
      return meter.probe(arrival, stored);
    }

    @Override
    public void refuse(EventRecord event, UnreadableKeyException why) {
      event.refused(unreadable(why));
    }

    @Override
    public void open(Record<byte[], EventRecord> record) {
      retries.open(record);
    }

    @Override
    public Record<byte[], EventRecord> judged(
        Record<byte[], EventRecord> record, Verdict verdict, long nowMs) {
      Verdict whole = whole(verdict, record.value(), services.limits().now(), nowMs);
      services.instruments().queues().count(whole);
      return MeterProcessor.this.judged(record, whole, nowMs);
    }
  }

  /**
   * Returns the verdict with the results of limits in shadow mode that did not meter the event,
   * because it lacks their keys, or because they were closed.
   *
   * @param comesAtMs instant at which the event was metered, epoch milliseconds
   */
  private Verdict whole(Verdict verdict, EventRecord event, LimitsInForce limits, long comesAtMs) {
    if (verdict.isAwaitingRedis()) return verdict;
    Verdict whole = withMissingKeys(verdict, event, limits, comesAtMs);
    return limits.withClosedShadows(whole, event.event(), comesAtMs);
  }

  /**
   * Counts the limits by whose key the event lacks a field, and returns the verdict with the
   * results of those in shadow mode that would reject the event. An event that waits for Redis or
   * that is metered again is counted once.
   */
  private Verdict withMissingKeys(
      Verdict verdict, EventRecord event, LimitsInForce limits, long comesAtMs) {
    if (!limits.hasOptionalKeys()) return verdict;
    Verdict whole = verdict;
    for (OptionalKey each : limits.optionalKeys(comesAtMs)) {
      if (!each.matches(event.event())) continue;
      boolean missing = each.isMissing(event.event());
      if (verdict.attempt() == 1) {
        long wallMs = context().currentSystemTimeMs();
        services.instruments().missingKeys().count(each.limit(), missing, wallMs);
      }
      if (missing && each.onlyReports()) whole = whole.withMissingKey(each.limit());
    }
    return whole;
  }

  /**
   * Restores a record that came to its home partition through the repartition topic, and decodes
   * its event unless a poll has decoded it.
   */
  private Record<byte[], EventRecord> arrivedByHop(Record<byte[], EventRecord> arrived) {
    Optional<RecordMetadata> at = context().recordMetadata();
    if (paced.getAsBoolean()) pace.passed();
    InputLag lag = parts.retries().lag();
    if (lag.isNeeded()) at.ifPresent(from -> lag.processed(from, context().currentSystemTimeMs()));
    return arrived.value().isOpened() ? arrived : services.opener().arrive(arrived);
  }

  /** Returns the record itself if it has the given timestamp, else a copy with that timestamp. */
  private static Record<byte[], EventRecord> dated(
      Record<byte[], EventRecord> record, long timestampMs) {
    return record.timestamp() == timestampMs ? record : record.withTimestamp(timestampMs);
  }

  private Verdict verdict(EventRecord event, LimitsInForce limits, Position position, long wallMs) {
    long comesAtMs = retries.comesAtMs(event);
    Optional<Verdict> behind =
        retries.othersAwaitRedis()
            ? meter.behindOthers(event, limits, comesAtMs)
            : Optional.empty();
    Verdict verdict =
        behind
            .orElseGet(() -> meter.meter(event, limits, comesAtMs, position))
            .onAttempt(event.attempt());
    if (verdict.isAwaitingRedis()) {
      // The event waits for Redis, and will be metered again at the same instant. If this was its
      // first metering, its due time is not in the future, so that it may leave at once then.
      long dueMs = event.hasWaited() ? comesAtMs : Math.min(comesAtMs, wallMs);
      return verdict.onAttempt(event.attempt() - 1).retriedAt(dueMs);
    }
    return verdict.isToBeRetried()
        ? RetryPlan.complete(verdict, event.event())
        : keyOrder.keepOrder(verdict, event, wallMs);
  }

  /**
   * Returns the sequence and offset by which Redis recognises the event if it is metered again
   * after a failure. Only events that are metered for the first time come in the order of the
   * input. An event that was stored because Redis was unavailable keeps its first position, since
   * Redis may have metered it; other events that are metered again have no position.
   */
  private Position position(EventRecord event, LimitsInForce limits) {
    if (!limits.ever().useRedis()) return Position.NONE;
    if (event.question().isPresent()) return event.question().get().position();
    if (event.hasWaited()) return event.askedAs();
    return context().recordMetadata().map(services.breaker()::atItsTurn).orElse(Position.NONE);
  }

  /** Returns the partition number of the task, which is the same for all topics that it reads. */
  private int partition() {
    return context().taskId().partition();
  }

  /**
   * Supplier of the meter node of each task. Has the components that all tasks share, and declares
   * the state stores.
   *
   * @param retries components for events that are metered again
   * @param queue components for events that wait in line
   * @param conditions settings for metering in the state store
   * @param sweeping divides the time for deleting idle keys among the tasks of a stream thread
   * @param context settings of the node's context
   */
  public record Node(
      Retries.Parts retries,
      EventQueue.Parts queue,
      Conditions conditions,
      ThreadBudget.Threads sweeping,
      NodeContext.Settings context)
      implements ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> {
    @Override
    public Processor<byte[], EventRecord, byte[], EventRecord> get() {
      return new MeterProcessor(this);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      DelayPath path = retries.path();
      boolean inMemory = path.services().config().keepsStateInMemory();
      return keepsState()
          ? Set.of(StoreRows.store(inMemory, path.prefix()), path.waiting(), path.turns())
          : Set.of(path.waiting(), path.turns());
    }

    /** Returns whether a limit may count in the state store. */
    private boolean keepsState() {
      return retries.services().config().limits().keepState();
    }
  }

  /**
   * Rules by which the sweep of idle rows decides whether a row is still needed: the rules of all
   * limits that are known at the time of the call.
   */
  record KnownRules(CurrentLimits limits) implements RowSweeper.Rules {
    @Override
    public Optional<Rule> of(String name, Algorithm algorithm, String key) {
      return limits.known().rule(name, algorithm, key);
    }

    @Override
    public Optional<Rule> ofMost(String name, Algorithm algorithm) {
      return limits.known().rule(name, algorithm);
    }
  }

  /** Rows with the counts of limits, in a Kafka Streams state store. */
  record StoreRows(KeyValueStore<Bytes, byte[]> store) implements Rows {
    @Override
    public byte[] get(byte[] key) {
      return store.get(Bytes.wrap(key));
    }

    @Override
    public void put(byte[] key, byte[] value) {
      store.put(Bytes.wrap(key), value);
    }

    @Override
    public void delete(byte[] key) {
      store.delete(Bytes.wrap(key));
    }

    /**
     * Returns the builder of the state store for the counts of limits.
     *
     * @param inMemory whether the store is on the heap; otherwise it is on disk
     * @param prefix first part of the store's name
     */
    static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(boolean inMemory, String prefix) {
      String name = prefix + Nodes.LIMITS;
      KeyValueBytesStoreSupplier kept =
          inMemory ? HeapStores.hashed(name) : HeapStores.onDisk(name);
      return Stores.keyValueStoreBuilder(kept, Serdes.Bytes(), Serdes.ByteArray());
    }
  }
}
