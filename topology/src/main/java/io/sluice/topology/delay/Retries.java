package io.sluice.topology.delay;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
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
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.metrics.DelayGauges;
import io.sluice.topology.redis.PendingVerdict;
import io.sluice.topology.redis.RedisBreaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Events of one task that wait to be metered again (retries). Each retry is metered at its due time
 * in the order of event times: before the event that moves the clock of the retry's input partition
 * past the due time or, if no input is left, when the wall clock has passed the due time.
 */
public final class Retries implements DelayGauges.Task, AutoCloseable {
  /*
   * The meter node stores a retry itself; the record on the topic of delayed events only announces
   * the retry. Before such a record came back from the topic, any number of later events would have
   * been metered.
   *
   * A retry waits for the clock of its input partition (the latest event time of that partition),
   * because the events of a key mostly come from one input partition in one order, directly or
   * through the repartition topic. The clock of the task does not decide, since the order in which
   * the events of several input partitions come to a home partition is accidental. The clocks of
   * input partitions are committed with the offsets. A clock that was not committed is unknown
   * until the next event of the input partition, as is the clock of one that is read again.
   *
   * If an input partition has no events while other input partitions have, its retries wait until
   * the clock of the task is later by the allowed lateness of events: then no event can come before
   * the retries.
   *
   * Events that must wait because Redis is unavailable are stored in a separate range of keys, in
   * the order in which they would have been metered. When Redis is back, they are metered before
   * all other events.
   */

  private static final int MOST_INPUTS = 4_096;
  private static final int MOST_ASKED_AT_ONCE = 1_000;
  private static final int PART_OF_TICK = 2;

  /**
   * Longest time to meter retries during the processing of one record, milliseconds; well below the
   * 10 s after which the broker aborts a transaction.
   */
  private static final long MOST_MS_PER_RECORD = 3_000;

  private final Parts parts;
  private final CurrentLimits limits;
  private final Arrivals arrivals;
  private final EventOpener opener;
  private final RedisBreaker breaker;
  private final Supplier<List<Limit>> homed;
  private final ProcessorContext<byte[], EventRecord> context;
  private final Consumer<Record<byte[], EventRecord>> meter;
  private final int partition;
  private final KeyValueStore<Bytes, byte[]> store;
  private final CommittedClocks committed;
  private final Map<String, RetryInput> inputs = new TreeMap<>();
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
   * Components for retries that all tasks share.
   *
   * @param threads divide the time for retries among the tasks of a stream thread
   */
  public record Parts(
      DelayPath path, InputLag lag, DeadLetters deadLetters, ThreadBudget.Threads threads) {
    public MeteringServices services() {
      return path.services();
    }
  }

  /**
   * Loads the retries in the store of a task.
   *
   * @param context context of the task
   * @param meter meters an event and forwards the event to the sink for its verdict
   */
  public Retries(
      Parts parts,
      ProcessorContext<byte[], EventRecord> context,
      Consumer<Record<byte[], EventRecord>> meter) {
    this.parts = parts;
    this.context = context;
    this.meter = meter;
    limits = parts.services().limits();
    arrivals = parts.services().arrivals();
    opener = parts.services().opener();
    breaker = parts.services().breaker();
    homed = parts.services().homed();
    partition = context.taskId().partition();
    clockMs = context.currentStreamTimeMs();
    store = context.getStateStore(Nodes.WAITING);
    Set<String> withRetries = Lane.inputsOfRetries(store);
    int tasks = parts.services().home().partitions();
    CommittedClocks ofTask = new CommittedClocks(context, tasks);
    ofTask.reduceTo(withRetries);
    committed = arrivals.byEventTime() ? ofTask : new CommittedClocks(null, tasks);
    for (String each : withRetries) input(each);
    early = new EarlyVerdicts(context, opener, parts.deadLetters);
    awaiting = new DelayQueue(store, Lane.AWAITING_REDIS, this::restoreAwaiting);
    nextNumber = Math.max(nextNumber, awaiting.placeMs());
    tickedMs = context.currentSystemTimeMs();
    share = parts.threads.join(parts.path.tickMs() / PART_OF_TICK);
    parts.path.gauges().join(this);
  }

  private RetryInput input(Origin origin) {
    String place = origin.place();
    RetryInput known = inputs.get(place);
    if (known != null) return known;
    boolean own = inputs.size() < MOST_INPUTS && Lane.isInput(place) && !isDelayed(place);
    return input(own ? place : RetryInput.FROM_ELSEWHERE);
  }

  /**
   * Returns whether the partition of an origin is one of the topic of delayed events, on which
   * other applications may schedule events.
   */
  private boolean isDelayed(String place) {
    String topic = parts.path.delayedTopic();
    return place.equals(topic + "-" + partition + "-");
  }

  private RetryInput input(String name) {
    RetryInput known = inputs.get(name);
    if (known != null) return known;
    // Until an event of this input comes directly, assumes that its events are repartitioned.
    long hoppedMs = name.equals(RetryInput.FROM_ELSEWHERE) ? 0 : context.currentSystemTimeMs();
    DelayQueue waiting = new DelayQueue(store, Lane.ofRetries(name), this::restore);
    RetryInput input = new RetryInput(name, waiting, committed.of(name), hoppedMs);
    inputs.put(name, input);
    return input;
  }

  private void restore(KeyValue<Bytes, byte[]> row) {
    passNumber(row.key);
    watch(row);
  }

  /**
   * Restores an event that waits for Redis. The row's key has a sequence number in place of a due
   * time.
   */
  private void restoreAwaiting(KeyValue<Bytes, byte[]> row) {
    nextNumber = Math.max(nextNumber, DueKey.dueMs(row.key) + 1);
    watch(row);
  }

  private void watch(KeyValue<Bytes, byte[]> row) {
    if (limits.known().ever().useRedis()) {
      EventRecord event = open(row.key, DelayedEvent.of(row.value)).event();
      watch(row.key, event, event.dueMs());
    }
  }

  private void passNumber(Bytes key) {
    nextNumber = Math.max(nextNumber, DueKey.offset(key) + 1);
  }

  /** Stored event that is to be metered, with the key of its row in the store. */
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

    /** Returns whether the event may not be metered without an answer of Redis, and has none. */
    boolean isStuck() {
      return awaitsRedis || event().question().filter(PendingVerdict::isStuck).isPresent();
    }
  }

  /**
   * Returns the time at which an event is metered, epoch milliseconds, given the clock of the task
   * that earlier events have set.
   */
  public long comesAtMs(EventRecord event) {
    return arrivals.comesAtMs(event, clockMs, context.currentSystemTimeMs());
  }

  /** Returns the instant before which no later event is metered, epoch microseconds. */
  public long earliestMicros() {
    return arrivals.earliestMs(clockMs, context.currentSystemTimeMs()) * 1_000;
  }

  /** Starts the budget for retries that are metered during the processing of one record. */
  public void begin() {
    if (isNeeded() || awaiting.waiting() > 0)
      ofRecord = new PunctuationBudget(parts.path.wallMs(), MOST_MS_PER_RECORD);
  }

  /**
   * Advances the clocks of the task and of the event's input partition to an event, and meters the
   * retries of that partition that are due before the event.
   *
   * @param hopped whether the event came through the repartition topic
   */
  public void reach(EventRecord event, boolean hopped) {
    if (awaiting.waiting() > 0) meterAwaiting(ofRecord);
    long reachedMs = arrivals.clockMs(context);
    if (isNeeded()) {
      RetryInput input = input(event.origin());
      long atMs = arrivals.byEventTime() ? event.event().occurredAtMs() : reachedMs;
      input.moveTo(atMs, event.origin());
      input.hoppedMs = hopped ? context.currentSystemTimeMs() : 0;
      meterDue(input);
    }
    clockMs = Math.max(clockMs, reachedMs);
  }

  private boolean isNeeded() {
    return !inputs.isEmpty() || limits.known().ever().retries();
  }

  /**
   * Meters the retries that are due by the current clock of an event's input partition. The event
   * itself may just have become such a retry.
   */
  public void meterDue(EventRecord event) {
    if (isNeeded()) meterDue(input(event.origin()));
  }

  private void meterDue(RetryInput input) {
    while (input.waiting.mayHaveDue(input.clockMs())) {
      if (!pass(input, input.clockMs(), ofRecord)) return;
    }
  }

  /**
   * Stores an event that is to be metered again when it is due.
   *
   * @param record event with the headers of a retry
   * @param dueMs due time, epoch milliseconds
   */
  public void add(Record<byte[], EventRecord> record, long dueMs) {
    RetryInput input = input(record.value().origin());
    put(input.waiting, input.lane.key(dueMs, nextNumber++), record, dueMs);
    lowestAddedMs = Math.min(lowestAddedMs, dueMs);
  }

  /**
   * Stores an event until Redis is available: after all events that wait for Redis or, if the event
   * has waited for Redis before, at its old position.
   *
   * @param record event with the headers of a retry
   */
  public void setAside(Record<byte[], EventRecord> record) {
    stuck = true;
    Bytes last = Lane.AWAITING_REDIS.key(nextNumber++, 0);
    put(awaiting, takenUp.orElse(last), record, comesAtMs(record.value()));
  }

  /**
   * Returns whether earlier events wait for Redis, so that an event that needs Redis must wait
   * behind them, even if Redis is available again.
   */
  public boolean othersAwaitRedis() {
    return awaiting.waiting() > 0 && takenUp.isEmpty();
  }

  /**
   * Stores a retried event with its final verdict until its due time, if the wall clock has not
   * reached the due time.
   *
   * @return whether the event is stored, so that it must not be forwarded now
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
   * Notes the limits in Redis and the keys of a retry, so that Redis is not asked about other
   * events with the same limits and keys before those events are processed.
   */
  private void watch(Bytes key, EventRecord event, long comesAtMs) {
    if (!limits.known().ever().useRedis()) return;
    List<Bucket> buckets = List.of();
    if (!event.isFaulty()) {
      List<Limit> remote = limits.known().matching(event.event(), comesAtMs).remote();
      buckets = Limit.buckets(remote, event.event());
    }
    opener.prefetched().retryWaits(partition, key, buckets);
  }

  /**
   * Meters the retries and releases the early verdicts whose due time the wall clock has reached.
   * Called at every punctuation, after the shaper node has released its own events.
   */
  public void tick() {
    long nowMs = context.currentSystemTimeMs();
    PunctuationBudget budget = new PunctuationBudget(parts.path.wallMs(), share.millis());
    early.release(nowMs, budget);
    meterAwaiting(budget);
    // If the process was suspended, the known consumer lag is outdated until the next poll.
    boolean stoodStill = nowMs - tickedMs > InputLag.IDLE_MS + 2 * parts.path.tickMs();
    if (stoodStill && parts.lag.mayBeOld()) steadySinceMs = nowMs;
    tickedMs = nowMs;
    boolean left = isInputLeft(nowMs);
    for (RetryInput each : inputs.values()) each.openMs = openMs(each, left, nowMs);
    meterAll(budget);
    long firstDueMs = firstDueMs();
    overdueMs = firstDueMs == RetryInput.NEVER ? 0 : Math.max(0, nowMs - firstDueMs);
    awaiting.note(nextNumber - 1);
    long earliestMs = arrivals.earliestMs(clockMs, nowMs) - 1;
    for (RetryInput each : inputs.values()) each.waiting.note(earliestMs);
    inputs.values().removeIf(RetryInput::isOfNoUse);
    long retries = inputs.values().stream().mapToLong(each -> each.waiting.waiting()).sum();
    waitingNow = early.waiting() + awaiting.waiting() + retries;
  }

  private boolean isInputLeft(long nowMs) {
    boolean asks = inputs.values().stream().anyMatch(each -> each.waiting.mayHaveDue(nowMs));
    return asks && arrivals.byEventTime() && !parts.lag.isZero(partition, nowMs);
  }

  /**
   * Returns the latest due time of retries that may be metered without a further event of their
   * input partition: the wall-clock time if no input is left, else the time before which no event
   * can come.
   *
   * @param left whether the task has input records that it has not processed
   */
  private long openMs(RetryInput input, boolean left, long nowMs) {
    long sinceMs = Math.max(input.hoppedMs, steadySinceMs);
    boolean quiet = !left && nowMs - sinceMs >= InputLag.IDLE_MS;
    if (quiet || !arrivals.byEventTime() || !parts.lag.isNeeded()) return nowMs;
    if (input.isElsewhere()) return Math.min(nowMs, clockMs);
    return Math.min(nowMs, arrivals.earliestMs(clockMs, nowMs));
  }

  private long firstDueMs() {
    long firstDueMs = RetryInput.NEVER;
    for (RetryInput each : inputs.values()) firstDueMs = Math.min(firstDueMs, each.firstDueMs());
    return firstDueMs;
  }

  /**
   * Meters the retries of all input partitions that the current punctuation may meter, in the order
   * of their due times.
   */
  private void meterAll(PunctuationBudget budget) {
    while (firstDueMs() != RetryInput.NEVER && !budget.isOver()) {
      long firstMs = firstDueMs();
      long nextMs = RetryInput.NEVER;
      RetryInput first = null;
      for (RetryInput each : inputs.values()) {
        long dueMs = each.firstDueMs();
        if (dueMs == firstMs && first == null) first = each;
        else nextMs = Math.min(nextMs, dueMs);
      }
      pass(first, Math.min(first.openMs, nextMs), budget);
    }
  }

  /**
   * If Redis is available, meters the events that wait for it, until one of them must wait again.
   */
  private void meterAwaiting(PunctuationBudget budget) {
    if (breaker.isGone() || awaiting.waiting() == 0) return;
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
   * Meters a batch of events that waited for Redis, up to the first event that must wait again.
   *
   * @return the store key of the event that must wait again; if there is none, the largest key of
   *     events that wait for Redis
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
   * Meters the due retries of an input partition in order. Stops early if a metered event becomes a
   * retry again that is due before the next retry.
   *
   * @param byMs latest due time of the retries to meter, epoch milliseconds
   * @return whether a retry was added that is due by then, and the budget is not used up
   */
  private boolean pass(RetryInput input, long byMs, PunctuationBudget budget) {
    DelayQueue waiting = input.waiting;
    Bytes readUpTo = waiting.after(byMs);
    boolean ends = false;
    lowestAddedMs = RetryInput.NEVER;
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

  /**
   * Decodes a stored event that is to be metered again; marks the event as faulty if that fails.
   */
  public void open(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    Origin origin = Origin.UNKNOWN;
    try {
      ReleaseOrder order = ReleaseOrder.of(record.headers());
      origin = order.origin();
      opener.openAgain(record, origin);
      event.again(order.attempt() + 1, order.atMs());
      Position claimed = DelayHeaders.askedAs(record.headers());
      event.wasAskedAs(breaker.askedBefore(claimed, partition));
    } catch (UnreadableEventException e) {
      // The timestamp needs no check, since the event was valid when it first came.
      event.faulty(e, origin, record.timestamp());
    }
  }

  /**
   * Returns whether Redis can be asked about an event in one batch with the earlier events. This is
   * not possible if the event has a limit and key in common with an earlier event, because the
   * answer about the earlier event may make it a retry that comes before this event.
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
   * Returns the question that Redis is asked before an event is metered; empty if no limit of the
   * event is in Redis, if the event must wait because Redis is unavailable or was until now and
   * earlier events wait, or if the state store must be asked first.
   */
  private Optional<PendingVerdict> question(Retry retry) {
    EventRecord event = retry.event();
    if (event.isFaulty()) return Optional.empty();
    long comesAtMs = comesAtMs(event);
    Matching matching = limits.now().matching(event.event(), comesAtMs);
    if (matching.remote().isEmpty()) return Optional.empty();
    boolean comesBehind = awaiting.waiting() > 0 && !Lane.AWAITING_REDIS.holds(retry.key);
    retry.awaitsRedis =
        (comesBehind || breaker.isGone()) && PendingVerdict.mustWait(matching.remote());
    if (retry.awaitsRedis || !matching.stored().isEmpty()) return Optional.empty();
    Arrival arrival = arrivals.of(event, comesAtMs);
    List<Bucket> buckets = Limit.buckets(matching.remote(), event.event());
    Request request = new Request(arrival, buckets, Standing.NONE, event.askedAs());
    return Optional.of(
        new PendingVerdict(partition, matching.remote(), request, arrivals.duplicates()));
  }

  /**
   * Asks Redis about a batch of events. If Redis does not answer, the processing of records is
   * paused, and the events that may not be metered without an answer stay unanswered.
   */
  private void ask(List<Retry> batch) {
    List<PendingVerdict> questions =
        batch.stream().flatMap(retry -> retry.event().question().stream()).toList();
    if (!questions.isEmpty()) breaker.askAhead(questions.iterator());
  }

  private void meter(DelayQueue waiting, List<Retry> batch) {
    ask(batch);
    for (Retry retry : batch) {
      leave(waiting, retry);
      if (!retry.isStuck()) {
        meter(retry);
        continue;
      }
      breaker.holdBack();
      if (retry.awaitsRedis) breaker.setAside(partition);
      setAside(retry.record);
    }
    batch.clear();
  }

  private void leave(DelayQueue queue, Retry retry) {
    queue.leave(retry.key);
    opener.prefetched().retryLeft(partition, retry.key);
  }

  private void meter(Retry retry) {
    parts.path.gauges().released();
    EventRecord event = retry.event();
    if (event.isFaulty() || parts.services().home().accepts(event, partition, homed.get())) {
      meter.accept(retry.record);
    } else {
      // The home partition of the event has changed since it came, so it is sent there.
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
