package io.sluice.topology.delay;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.redis.Position;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.intake.Arrivals;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.metrics.DelayGauges;
import io.sluice.topology.redis.PendingVerdict;
import io.sluice.topology.redis.RedisBreaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Events of one task that wait to be metered again, each at its place in the order of event time:
 * before the event that moves the clock of its input partition past its due time or, if no input is
 * left, when the wall clock has passed its due time.
 */
public final class Retries implements DelayGauges.Task, AutoCloseable {
  /*
   * The meter stores a retry itself; the record on the topic of delayed events only announces it.
   * Before that record came back, any number of later events would have been metered.
   *
   * A retry waits for the clock of its input partition, because the events of a key mostly come
   * from one input partition in one order, directly or by the hop. The clock of the task does not
   * decide: the order in which input partitions meet at the home partition is accidental. The clocks
   * are committed with the offsets. One that is not is unknown until the input's next event; so is
   * that of an input that is read again.
   *
   * If an input's clock stands still while other inputs bring events, its retries wait until the
   * clock of the task is later by the allowed lateness of events: then no event can come before
   * them.
   *
   * Events that must wait for an unavailable Redis are in a lane of their own, in the order in
   * which they would have been metered. When Redis is back they come before all others.
   */
  /**
   * Input of the events that other applications scheduled, whose origin header may say anything.
   */
  private static final String FROM_ELSEWHERE = "";

  private static final int MOST_INPUTS = 4_096;
  private static final int MOST_ASKED_AT_ONCE = 1_000;
  private static final int PART_OF_TICK = 2;

  /**
   * Most time for the retries that are metered with one record; well below the 10 s after which the
   * broker aborts a transaction.
   */
  private static final long MOST_MS_PER_RECORD = 3_000;

  private static final long NEVER = Long.MAX_VALUE;

  private final Parts parts;
  private final ProcessorContext<byte[], EventRecord> context;
  private final Consumer<Record<byte[], EventRecord>> meter;
  private final int partition;
  private final KeyValueStore<Bytes, byte[]> store;
  private final CommittedClocks committed;
  private final Map<String, Input> inputs = new TreeMap<>();
  private final EarlyVerdicts early;
  private final DelayQueue awaiting;
  private final ThreadBudget share;
  private PunctuationBudget ofRecord = new PunctuationBudget();
  private long clockMs;
  private long nextNumber;
  private long lowestAddedMs;
  private boolean marked;
  private Optional<Bytes> takenUp = Optional.empty();
  private boolean stuck;
  private long tickedMs;
  private long steadySinceMs;
  private volatile long waitingNow;
  private volatile long overdueMs;

  /**
   * Dependencies that all tasks share.
   *
   * @param homed limits whose events must be on their home partition
   */
  public record Parts(
      DelayPath path,
      CurrentLimits limits,
      Arrivals arrivals,
      EventOpener opener,
      RedisBreaker breaker,
      InputLag lag,
      DeadLetters deadLetters,
      Supplier<List<Limit>> homed,
      ThreadBudget.Threads threads) {}

  /**
   * Loads the retries that the store of a task holds.
   *
   * @param meter meters an event and forwards it
   */
  public Retries(
      Parts parts,
      ProcessorContext<byte[], EventRecord> context,
      Consumer<Record<byte[], EventRecord>> meter) {
    this.parts = parts;
    this.context = context;
    this.meter = meter;
    partition = context.taskId().partition();
    clockMs = context.currentStreamTimeMs();
    store = context.getStateStore(Nodes.WAITING);
    committed = new CommittedClocks(parts.arrivals.byEventTime() ? context : null);
    for (String each : Lane.inputsOfRetries(store)) input(each);
    early = new EarlyVerdicts(context, parts.opener, parts.deadLetters);
    awaiting = new DelayQueue(store, Lane.AWAITING_REDIS, this::restoreAwaiting);
    nextNumber = Math.max(nextNumber, awaiting.placeMs());
    tickedMs = context.currentSystemTimeMs();
    share = parts.threads.join(parts.path.tickMs() / PART_OF_TICK);
    parts.path.gauges().join(this);
  }

  /** Retries of one input partition, and its clock, if that is known. */
  private static final class Input {
    final String name;
    final Lane lane;
    final DelayQueue waiting;
    final CommittedClocks.Clock committed;
    long clockMs;

    /** Whether the clock is that of a previous owner, and no event has come since. */
    boolean isRestored;

    /**
     * Wall-clock time of the input's last event that came by the hop; 0 if its events come
     * directly.
     */
    long hoppedMs;

    /** Latest due time of the retries that the current tick may meter. */
    long openMs;

    Input(String name, DelayQueue waiting, CommittedClocks.Clock committed, long hoppedMs) {
      this.name = name;
      lane = Lane.ofRetries(name);
      this.waiting = waiting;
      this.committed = committed;
      this.hoppedMs = hoppedMs;
      clockMs = committed.ms();
      isRestored = clockMs != ConsumerRecord.NO_TIMESTAMP;
    }

    long firstDueMs() {
      long dueMs = waiting.firstDueMs();
      return dueMs <= openMs ? dueMs : NEVER;
    }

    boolean isElsewhere() {
      return name.equals(FROM_ELSEWHERE);
    }

    /**
     * Returns whether the input can be dropped; events from other applications may name any origin.
     */
    boolean isOfNoUse() {
      return waiting.waiting() == 0 && clockMs == ConsumerRecord.NO_TIMESTAMP;
    }
  }

  private Input input(Origin origin) {
    String place = origin.place();
    Input known = inputs.get(place);
    if (known != null) return known;
    boolean own = inputs.size() < MOST_INPUTS && Lane.isInput(place) && !isDelayed(place);
    return input(own ? place : FROM_ELSEWHERE);
  }

  /**
   * Returns whether the origin is the topic of delayed events: other applications may schedule
   * events there.
   */
  private boolean isDelayed(String place) {
    String topic = parts.path.delayedTopic();
    return place.equals(topic + "-" + partition + "-");
  }

  private Input input(String name) {
    Input known = inputs.get(name);
    if (known != null) return known;
    // Until one of its events comes directly, its events may be coming by the hop.
    long hoppedMs = name.equals(FROM_ELSEWHERE) ? 0 : context.currentSystemTimeMs();
    DelayQueue waiting = new DelayQueue(store, Lane.ofRetries(name), this::restore);
    Input input = new Input(name, waiting, committed.of(name), hoppedMs);
    inputs.put(name, input);
    return input;
  }

  private void restore(KeyValue<Bytes, byte[]> row) {
    passNumber(row.key);
    watch(row);
  }

  /**
   * Restores an event that waits for Redis; its key has a sequence number in place of a due time.
   */
  private void restoreAwaiting(KeyValue<Bytes, byte[]> row) {
    nextNumber = Math.max(nextNumber, DueKey.dueMs(row.key) + 1);
    watch(row);
  }

  private void watch(KeyValue<Bytes, byte[]> row) {
    if (parts.limits.known().ever().useRedis()) {
      EventRecord event = open(row.key, DelayedEvent.of(row.value)).event();
      watch(row.key, event, event.dueMs());
    }
  }

  private void passNumber(Bytes key) {
    nextNumber = Math.max(nextNumber, DueKey.offset(key) + 1);
  }

  /** Event to meter again, with the key of its row. */
  private static final class Retry {
    final Bytes key;
    final Record<byte[], EventRecord> record;
    boolean awaitsRedis;

    Retry(Bytes key, Record<byte[], EventRecord> record) {
      this.key = key;
      this.record = record;
    }

    EventRecord event() {
      return record.value();
    }

    /** Returns whether the event needs an answer from Redis and has none. */
    boolean isStuck() {
      return awaitsRedis || event().question().filter(PendingVerdict::isStuck).isPresent();
    }
  }

  /** Returns when an event comes to be metered, by the clock that earlier events have set. */
  public long comesAtMs(EventRecord event) {
    return parts.arrivals.comesAtMs(event, clockMs, context.currentSystemTimeMs());
  }

  /** Returns the instant before which no event will come, in microseconds. */
  public long earliestMicros() {
    return parts.arrivals.earliestMs(clockMs, context.currentSystemTimeMs()) * 1_000;
  }

  /** Starts the budget of retries that may be metered with one record. */
  public void begin() {
    if (isNeeded() || awaiting.waiting() > 0)
      ofRecord = new PunctuationBudget(parts.path.wallMs(), MOST_MS_PER_RECORD);
  }

  /**
   * Moves the clocks on to an event, and meters the retries that come before it.
   *
   * @param hopped whether the event came by the hop
   */
  public void reach(EventRecord event, boolean hopped) {
    if (awaiting.waiting() > 0) meterAwaiting(ofRecord);
    long reachedMs = parts.arrivals.clockMs(context);
    if (isNeeded()) {
      Input input = input(event.origin());
      long atMs = parts.arrivals.byEventTime() ? event.event().occurredAtMs() : reachedMs;
      moveClock(input, atMs, event.origin());
      input.hoppedMs = hopped ? context.currentSystemTimeMs() : 0;
      meterDue(input);
    }
    clockMs = Math.max(clockMs, reachedMs);
  }

  private void moveClock(Input input, long atMs, Origin origin) {
    if (input.isRestored) {
      input.isRestored = false;
      boolean isReadAgain = !input.isElsewhere() && origin.offset() < input.committed.offset();
      if (isReadAgain) input.clockMs = ConsumerRecord.NO_TIMESTAMP;
    }
    if (atMs <= input.clockMs) return;
    input.clockMs = atMs;
    input.committed.set(atMs, origin.offset());
  }

  private boolean isNeeded() {
    return !inputs.isEmpty() || parts.limits.known().ever().retries();
  }

  /**
   * Meters the retries that are due by the current clock of the event's input, which may have been
   * added just now.
   */
  public void meterDue(EventRecord event) {
    if (isNeeded()) meterDue(input(event.origin()));
  }

  private void meterDue(Input input) {
    while (input.waiting.mayHaveDue(input.clockMs)) {
      if (!pass(input, input.clockMs, ofRecord)) return;
    }
  }

  /**
   * Stores an event to be metered again when it is due.
   *
   * @param record event with the headers of a retry
   */
  public void add(Record<byte[], EventRecord> record, long dueMs) {
    Input input = input(record.value().origin());
    put(input.waiting, input.lane.key(dueMs, nextNumber++), record, dueMs);
    lowestAddedMs = Math.min(lowestAddedMs, dueMs);
  }

  /**
   * Stores an event until Redis is back: behind all that already wait for it, or at its old place
   * if it has waited before.
   *
   * @param record event with the headers of a retry
   */
  public void setAside(Record<byte[], EventRecord> record) {
    stuck = true;
    Bytes last = Lane.AWAITING_REDIS.key(nextNumber++, 0);
    put(awaiting, takenUp.orElse(last), record, comesAtMs(record.value()));
  }

  /**
   * Holds an event whose verdict is early by the wall clock.
   *
   * @return whether it is held
   */
  public boolean holdsBack(Record<byte[], EventRecord> leaving, Verdict.Kind kind) {
    return early.holdsBack(leaving, kind);
  }

  private void put(
      DelayQueue queue, Bytes key, Record<byte[], EventRecord> record, long comesAtMs) {
    if (!marked) DelayQueue.mark(store);
    marked = true;
    queue.add(key, new DelayedEvent(record, true, Turn.NONE).toBytes());
    watch(key, record.value(), comesAtMs);
  }

  /**
   * Marks the buckets of a retry, so that Redis is not asked ahead about other events that may be
   * counted in them.
   */
  private void watch(Bytes key, EventRecord event, long comesAtMs) {
    if (!parts.limits.known().ever().useRedis()) return;
    List<Bucket> buckets = List.of();
    if (!event.isFaulty()) {
      List<Limit> remote = parts.limits.known().matching(event.event(), comesAtMs).remote();
      buckets = Limit.buckets(remote, event.event());
    }
    parts.opener.prefetched().retryWaits(partition, key, buckets);
  }

  /**
   * Meters and releases the events whose time the wall clock has reached; called after the shaper
   * has released its own.
   */
  public void tick() {
    long nowMs = context.currentSystemTimeMs();
    PunctuationBudget budget = new PunctuationBudget(parts.path.wallMs(), share.millis());
    early.release(nowMs, budget);
    meterAwaiting(budget);
    // After the process stood still, the known lag is an old one until the next poll.
    boolean stoodStill = nowMs - tickedMs > InputLag.IDLE_MS + 2 * parts.path.tickMs();
    if (stoodStill && parts.lag.mayBeOld()) steadySinceMs = nowMs;
    tickedMs = nowMs;
    boolean left = isInputLeft(nowMs);
    for (Input each : inputs.values()) each.openMs = openMs(each, left, nowMs);
    meterAll(budget);
    overdueMs = firstDueMs() == NEVER ? 0 : Math.max(0, nowMs - firstDueMs());
    awaiting.note(nextNumber - 1);
    long earliestMs = parts.arrivals.earliestMs(clockMs, nowMs) - 1;
    for (Input each : inputs.values()) each.waiting.note(earliestMs);
    inputs.values().removeIf(Input::isOfNoUse);
    long retries = inputs.values().stream().mapToLong(each -> each.waiting.waiting()).sum();
    waitingNow = early.waiting() + awaiting.waiting() + retries;
  }

  private boolean isInputLeft(long nowMs) {
    boolean asks = inputs.values().stream().anyMatch(each -> each.waiting.mayHaveDue(nowMs));
    return asks && parts.arrivals.byEventTime() && !parts.lag.isZero(partition, nowMs);
  }

  /**
   * Returns the due time up to which retries of an input may be metered without a further event of
   * it: the wall clock if no input is left, else the time before which no event will come.
   */
  private long openMs(Input input, boolean left, long nowMs) {
    long sinceMs = Math.max(input.hoppedMs, steadySinceMs);
    boolean quiet = !left && nowMs - sinceMs >= InputLag.IDLE_MS;
    if (quiet || !parts.arrivals.byEventTime() || !parts.lag.isNeeded()) return nowMs;
    if (input.isElsewhere()) return Math.min(nowMs, clockMs);
    return Math.min(nowMs, parts.arrivals.earliestMs(clockMs, nowMs));
  }

  private long firstDueMs() {
    return inputs.values().stream().mapToLong(Input::firstDueMs).min().orElse(NEVER);
  }

  /** Meters the retries of all inputs that the tick may meter, in order of their due times. */
  private void meterAll(PunctuationBudget budget) {
    while (firstDueMs() != NEVER && !budget.isOver()) {
      long firstMs = firstDueMs();
      long nextMs = NEVER;
      Input first = null;
      for (Input each : inputs.values()) {
        long dueMs = each.firstDueMs();
        if (dueMs == firstMs && first == null) first = each;
        else nextMs = Math.min(nextMs, dueMs);
      }
      pass(first, Math.min(first.openMs, nextMs), budget);
    }
  }

  /** Meters the events that wait for Redis, if it is back, until one has to wait again. */
  private void meterAwaiting(PunctuationBudget budget) {
    if (parts.breaker.isGone() || awaiting.waiting() == 0) return;
    Bytes readUpTo = Lane.AWAITING_REDIS.key(nextNumber, 0);
    stuck = false;
    List<Retry> batch = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> rows = awaiting.due(nextNumber)) {
      while (rows.hasNext() && !stuck) {
        KeyValue<Bytes, byte[]> row = rows.next();
        Retry retry = open(row.key, DelayedEvent.of(row.value));
        if (!joins(retry, batch)) readUpTo = min(readUpTo, takeUp(batch));
        if (stuck || budget.isSpent()) {
          readUpTo = min(readUpTo, row.key);
          break;
        }
        batch.add(retry);
      }
    }
    readUpTo = min(readUpTo, takeUp(batch));
    awaiting.readUpTo(readUpTo);
  }

  private static Bytes min(Bytes one, Bytes other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Meters a batch of events that waited for Redis, up to the first that must wait again.
   *
   * @return the key of that event, or the last key of the lane if there is none
   */
  private Bytes takeUp(List<Retry> batch) {
    ask(batch);
    for (Retry retry : batch) {
      if (retry.isStuck()) stuck = true;
      if (!stuck) {
        takenUp = Optional.of(retry.key);
        leave(awaiting, retry);
        meter(retry);
        takenUp = Optional.empty();
      }
      if (stuck) {
        batch.clear();
        return retry.key;
      }
    }
    batch.clear();
    return Lane.AWAITING_REDIS.last();
  }

  /**
   * Meters the due retries of an input in order, until one is added that comes before the next.
   *
   * @return whether one was added that is due by {@code byMs}, and the budget is not used up
   */
  private boolean pass(Input input, long byMs, PunctuationBudget budget) {
    DelayQueue waiting = input.waiting;
    Bytes readUpTo = waiting.after(byMs);
    boolean ends = false;
    lowestAddedMs = NEVER;
    List<Retry> batch = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> rows = waiting.due(byMs)) {
      while (rows.hasNext() && !ends) {
        KeyValue<Bytes, byte[]> row = rows.next();
        Retry retry = open(row.key, DelayedEvent.of(row.value));
        if (!joins(retry, batch)) meter(waiting, batch);
        ends = budget.isSpent() || lowestAddedMs < DueKey.dueMs(row.key);
        if (ends) readUpTo = row.key;
        else batch.add(retry);
      }
    }
    meter(waiting, batch);
    waiting.readUpTo(min(input.lane.key(lowestAddedMs, 0), readUpTo));
    return lowestAddedMs <= byMs && !budget.isOver();
  }

  private Retry open(Bytes key, DelayedEvent delayed) {
    open(delayed.record());
    return new Retry(key, delayed.record());
  }

  /** Decodes an event for its next attempt; marks it as faulty if that fails. */
  public void open(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    Origin origin = Origin.UNKNOWN;
    try {
      ReleaseOrder order = ReleaseOrder.of(record.headers());
      origin = order.origin();
      parts.opener.openAgain(record, origin);
      event.again(order.attempt() + 1, order.atMs());
      Position claimed = DelayHeaders.askedAs(record.headers());
      event.wasAskedAs(parts.breaker.askedBefore(claimed, partition));
    } catch (UnreadableEventException e) {
      event.faulty(e, origin, record.timestamp()); // it could be decoded when it came
    }
  }

  /**
   * Returns whether Redis can be asked about an event in one batch with those before it. It cannot
   * if they share a bucket, because the answer about one may put another event between them.
   */
  private boolean joins(Retry retry, List<Retry> batch) {
    question(retry).ifPresent(retry.event()::asks);
    if (batch.isEmpty()) return true;
    Optional<PendingVerdict> asked = retry.event().question();
    if (asked.isEmpty() || batch.size() == MOST_ASKED_AT_ONCE) return false;
    return batch.stream()
        .map(each -> each.event().question())
        .allMatch(each -> each.isPresent() && each.get().isApartFrom(asked.get()));
  }

  /**
   * Returns the question to Redis before the event is metered; empty if no limit is in Redis, if
   * the event must wait for Redis, or if the state store must be asked first.
   */
  private Optional<PendingVerdict> question(Retry retry) {
    EventRecord event = retry.event();
    if (event.isFaulty()) return Optional.empty();
    long comesAtMs = comesAtMs(event);
    Matching matching = parts.limits.now().matching(event.event(), comesAtMs);
    if (matching.remote().isEmpty()) return Optional.empty();
    retry.awaitsRedis = parts.breaker.isGone() && PendingVerdict.mustWait(matching.remote());
    if (retry.awaitsRedis || !matching.stored().isEmpty()) return Optional.empty();
    return Optional.of(
        PendingVerdict.ahead(
            partition,
            matching.remote(),
            Limit.buckets(matching.remote(), event.event()),
            parts.arrivals.of(event, comesAtMs),
            event.askedAs(),
            parts.arrivals.duplicates()));
  }

  /**
   * Asks Redis about a batch. If it does not answer, processing is paused, and events that must
   * wait for it are stuck.
   */
  private void ask(List<Retry> batch) {
    List<PendingVerdict> questions =
        batch.stream().flatMap(retry -> retry.event().question().stream()).toList();
    if (!questions.isEmpty()) parts.breaker.askAhead(questions.iterator());
  }

  private void meter(DelayQueue waiting, List<Retry> batch) {
    ask(batch);
    for (Retry retry : batch) {
      leave(waiting, retry);
      if (!retry.isStuck()) {
        meter(retry);
        continue;
      }
      parts.breaker.holdBack();
      if (retry.awaitsRedis) parts.breaker.setAside(partition);
      setAside(retry.record);
    }
    batch.clear();
  }

  private void leave(DelayQueue queue, Retry retry) {
    queue.leave(retry.key);
    parts.opener.prefetched().retryLeft(partition, retry.key);
  }

  private void meter(Retry retry) {
    parts.path.gauges().released();
    EventRecord event = retry.event();
    if (event.isFaulty() || parts.path.home().accepts(event, partition, parts.homed.get())) {
      meter.accept(retry.record);
    } else { // its home partition is another one than when it came
      DelayHeaders.toMeter(retry.record.headers());
      context.forward(retry.record, Nodes.DELAYED);
    }
  }

  @Override
  public String task() {
    return context.taskId().toString();
  }

  @Override
  public long waiting() {
    return waitingNow;
  }

  @Override
  public long overdueMs() {
    return overdueMs;
  }

  @Override
  public void close() {
    share.close();
    parts.path.gauges().leave(this);
  }
}
