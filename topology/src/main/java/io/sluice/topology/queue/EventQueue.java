package io.sluice.topology.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.Verdict.Reason;
import io.sluice.topology.delay.DelayQueue;
import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.delay.DelayedEvent;
import io.sluice.topology.delay.DueKey;
import io.sluice.topology.delay.PunctuationBudget;
import io.sluice.topology.delay.Retries;
import io.sluice.topology.delay.ThreadBudget;
import io.sluice.topology.delay.Turn;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.metrics.DelayGauges;
import io.sluice.topology.metrics.QueueGauges;
import io.sluice.topology.queue.Admission.Arrived;
import io.sluice.topology.queue.Gate.Refusal;
import io.sluice.topology.queue.GateCheck.Checked;
import io.sluice.topology.queue.Gates.Candidate;
import io.sluice.topology.queue.HeadMeter.Answer;
import io.sluice.topology.queue.HeadMeter.Head;
import io.sluice.topology.queue.HeadMeter.Metered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Events of one task that wait in line for limits with {@code exceeded=queue}. The store has one
 * row for each: written when the event arrives, and deleted when it leaves. A refused question
 * writes nothing.
 */
public final class EventQueue implements DelayGauges.Task, QueueGauges.Task, AutoCloseable {
  /*
   * A funnel loses the slots that nothing has used for a tick, so heads must be asked more often
   * than that: a stream thread calls punctuations late by up to poll.ms, a quarter of a tick.
   */
  private static final int ASKS_PER_TICK = 4;

  /** Part of the time between two asks that all tasks of a thread may take together. */
  private static final int PART_OF_TICK = 2 * ASKS_PER_TICK;

  /** How long the heads of lines wait until they are asked again while Redis is unavailable. */
  private static final long AGAIN_MS = 1_000;

  /** Most pauses between two asks whose time a late tick may take together. */
  private static final int MOST_PAUSES = 40;

  /** Most heads of lines in one call to Redis. */
  private static final int MOST_AT_ONCE = 256;

  private static final Lane LANE = Lane.QUEUED;

  /** Key of the row with the random part of the queue's name. */
  private static final Bytes NAME = Bytes.wrap(new byte[] {(byte) 0x86});

  private final Parts parts;
  private final ProcessorContext<byte[], EventRecord> context;
  private final QueueMeter meter;
  private final KeyValueStore<Bytes, byte[]> store;
  private final LeftEvents left;
  private final ThreadBudget share;
  private final Cancellable asks;
  private final QueueIndex index;
  private final Gates gates;
  private final RedisReleases redis;
  private final HeadMeter meterHeads;
  private final Admission admission;
  private final Departures departures;
  private final LimitChanges changes;
  private final Cancellations cancellations;
  private long nextNumber;
  private long askedMs;
  private long tickedMs;
  private boolean wasGone;
  private volatile Reading reading = new Reading(0, Map.of());

  /**
   * Components for queues that all tasks share.
   *
   * @param threads divide the time for releases among the tasks of a stream thread
   */
  public record Parts(Retries.Parts retries, ThreadBudget.Threads threads) {
    private MeteringServices services() {
      return retries.services();
    }

    /** Returns the interval between two releases, milliseconds. */
    public long tickMs() {
      return services().config().delayTickMs();
    }
  }

  /** State of the queue after a release, for other threads. */
  private record Reading(long waiting, Map<QueueGauges.Line, QueueGauges.Standing> lines) {}

  /**
   * Opens the queue of a task, and builds its index from the stored rows.
   *
   * @param context context of the task
   */
  public EventQueue(Parts parts, ProcessorContext<byte[], EventRecord> context, QueueMeter meter) {
    this.parts = parts;
    this.context = context;
    this.meter = meter;
    store = context.getStateStore(Nodes.WAITING);
    index = new QueueIndex(services().config().queueOrder(), this::waiting);
    gates = index.gates();
    left = new LeftEvents(store);
    changes = new LimitChanges(parts.services().limits());
    redis = new RedisReleases(parts.services(), this::name, context);
    meterHeads = new HeadMeter(meter, redis);
    admission = new Admission(parts.services(), index, changes, meterHeads);
    departures = new Departures(parts.retries(), context, meter, left);
    askedMs = context.currentSystemTimeMs();
    tickedMs = askedMs;
    restore(askedMs * 1_000);
    cancellations = new Cancellations(store, parts.services().limits(), nextNumber);
    share = parts.threads.join(parts.tickMs() / PART_OF_TICK);
    asks =
        context.schedule(
            Duration.ofMillis(pauseMs()), PunctuationType.WALL_CLOCK_TIME, at -> punctuate());
    services().instruments().delayed().join(this);
    services().instruments().queues().join(this);
  }

  /**
   * Returns the name of the queue in Redis. It has a random part that is in the store, since
   * applications on different clusters may have the same id and use the same Redis: they must not
   * take each other's queues over.
   */
  private String name() {
    byte[] random = store.get(NAME);
    if (random == null) {
      random = UUID.randomUUID().toString().getBytes(UTF_8);
      store.put(NAME, random);
    }
    String application = services().config().applicationId();
    String prefix = parts.retries().path().prefix();
    int partition = context.taskId().partition();
    return application + '/' + prefix + partition + '/' + new String(random, UTF_8);
  }

  private void restore(long nowMicros) {
    nextNumber = left.next();
    QueuedEvent.Reader reader = new QueuedEvent.Reader();
    Bytes first = LANE.key(left.first(), 0);
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(first, LANE.last())) {
      while (rows.hasNext()) {
        KeyValue<Bytes, byte[]> row = rows.next();
        long number = DueKey.dueMs(row.key);
        nextNumber = Math.max(nextNumber, number + 1);
        if (!left.contains(number)) index.add(reader.waiting(number, row.value), nowMicros);
      }
    }
    left.restored();
  }

  private MeteringServices services() {
    return parts.services();
  }

  /**
   * Returns the instant before which no event is metered, epoch milliseconds. It does not move
   * while heads are asked, however long Redis takes, since they are metered from before that.
   */
  public long earliestMs() {
    return Math.max(0, askedMs - parts.tickMs());
  }

  /** Returns whether events may wait in line, or do. */
  public boolean isNeeded() {
    return index.size() > 0 || services().limits().known().ever().queues();
  }

  /** Takes an order about the events in line, which later ticks carry out, from its record. */
  public void order(Record<byte[], EventRecord> record) {
    try {
      cancellations.add(record.value().bytes(), nextNumber);
    } catch (UnreadableEventException e) {
      record.value().refused(e);
      departures.dead(record);
    }
  }

  /**
   * Meters a new event, unless it must wait for others, and stores it if it must wait in line.
   *
   * @param matching limits that match the event, at least one of them with a queue
   */
  public void arrive(Record<byte[], EventRecord> record, Matching matching) {
    EventRecord event = record.value();
    long nowMs = context.currentSystemTimeMs();
    askedMs = nowMs;
    ArrivingEvent arriving =
        ArrivingEvent.of(
            event.event(),
            matching,
            services().arrivals().of(event, nowMs),
            services().config().queueOrder(),
            nextNumber);
    // With at-least-once, a record may come again although its event is stored.
    boolean isStored = index.knowsRecord(arriving.waiting().identity());
    Arrived arrived = isStored ? admission.again(arriving) : admission.of(event, arriving);
    Verdict verdict = arrived.verdict();
    Record<byte[], EventRecord> leaving = meter.judged(record, verdict, nowMs);
    if (verdict.isQueued() && !isStored) store(leaving, arriving.waiting(), arrived.refusals());
    if (usesPermits(verdict)) gates.admitted(arriving.waiting());
    context.forward(leaving, Nodes.of(verdict.kind()));
  }

  private void store(
      Record<byte[], EventRecord> leaving, WaitingEvent waiting, List<Refusal> refusals) {
    long nowMicros = waiting.arrivalMs() * 1_000;
    DelayQueue.mark(store);
    nextNumber++;
    byte[] record = new DelayedEvent(leaving, true, Turn.NONE).toBytes();
    store.put(LANE.key(waiting.number(), 0), QueuedEvent.row(waiting, record));
    if (refusals.isEmpty()) index.add(waiting, nowMicros);
    else index.add(waiting, refusals, nowMicros);
  }

  private Optional<WaitingEvent> waiting(long number) {
    return Optional.ofNullable(store.get(LANE.key(number, 0)))
        .map(row -> QueuedEvent.waiting(number, row));
  }

  private void punctuate() {
    redis.tick(context.currentSystemTimeMs());
    tick();
  }

  /** Rejects the events that have waited too long, and releases those that conform. */
  public void tick() {
    long nowMs = context.currentSystemTimeMs();
    askedMs = nowMs;
    boolean isIdle = index.size() == 0 && reading.waiting == 0 && !cancellations.areOpen();
    share.hasWork(!isIdle);
    if (!isIdle) releaseAt(nowMs);
    tickedMs = nowMs;
  }

  private void releaseAt(long nowMs) {
    if (cancellations.areOpen())
      cancellations.work(budget(nowMs, 2), (event, row) -> cancel(event, row, nowMs));
    if (index.size() > 0) release(nowMs);
    left.write(index.firstNumber().orElse(nextNumber));
    observe(nowMs);
  }

  private void release(long nowMs) {
    boolean isGone = services().breaker().isGone();
    if (changes.areNew(nowMs) || (wasGone && !isGone)) gates.openAll();
    wasGone = isGone;
    // A flood of events that have waited too long must not keep others from leaving.
    expire(nowMs, budget(nowMs, 2));
    gates.open(nowMs * 1_000);
    PunctuationBudget budget = budget(nowMs, 1);
    int most = 1;
    while (!budget.isSpent()) {
      List<Candidate> next = gates.take(1, nowMs * 1_000);
      if (next.isEmpty() && !gates.hasReady()) return;
      if (next.isEmpty()) continue;
      if (next.get(0).line().asksRedis() && !isGone)
        next.addAll(gates.take(most - 1, nowMs * 1_000));
      most = ask(next, nowMs) ? Math.min(MOST_AT_ONCE, 4 * most) : 1;
    }
  }

  /**
   * Returns a budget that grows with the time since the last tick, as a busy thread is late.
   *
   * @param part what part of the task's time it is, such as 2 for a half
   */
  private PunctuationBudget budget(long nowMs, int part) {
    long pauses = Math.min(MOST_PAUSES, Math.max(1, (nowMs - tickedMs) / pauseMs()));
    long mostMs = Math.max(1, share.millis() * pauses / part);
    return new PunctuationBudget(parts.retries().path().wallMs(), mostMs);
  }

  private long pauseMs() {
    return Math.max(1, parts.tickMs() / ASKS_PER_TICK);
  }

  private void expire(long nowMs, PunctuationBudget budget) {
    while (!budget.isSpent()) {
      Optional<WaitingEvent> expired = index.pollExpired(nowMs);
      if (expired.isEmpty()) return;
      WaitingEvent event = expired.get();
      Record<byte[], EventRecord> record = read(event.number());
      // Opened first, since that fails if a schema registry does not answer.
      meter.open(record);
      index.remove(event, nowMs * 1_000);
      departures.leave(event);
      // The limit of the end counts: its own wait, or the end of the event itself.
      boolean ownEnd = !record.value().isFaulty() && record.value().event().expiresAtMs() <= nowMs;
      departures.reject(record, event, ownEnd ? Reason.EXPIRED : Reason.DELAY_TOO_LONG, nowMs);
    }
  }

  /** Rejects an event if an order is about it and it still waits. */
  private void cancel(WaitingEvent event, byte[] row, long nowMs) {
    Record<byte[], EventRecord> record = QueuedEvent.record(row).record();
    meter.open(record);
    if (!cancellations.cover(event, record.value())) return;
    long before = index.size();
    index.remove(event, nowMs * 1_000);
    // The store may have rows of events that have left.
    if (index.size() == before) return;
    departures.leave(event);
    departures.cancel(record, event, nowMs);
  }

  private Record<byte[], EventRecord> read(long number) {
    return QueuedEvent.record(store.get(LANE.key(number, 0))).record();
  }

  /** First event of a line that was taken, with its row. */
  private record Taken(
      Candidate candidate, WaitingEvent waiting, Record<byte[], EventRecord> record) {}

  /**
   * Asks whether the heads of lines may leave, in order.
   *
   * @return whether all of them have left
   */
  private boolean ask(List<Candidate> candidates, long nowMs) {
    List<Taken> taken = new ArrayList<>();
    List<Head> heads = new ArrayList<>();
    for (Candidate each : candidates) open(each, taken, heads, nowMs);
    if (heads.isEmpty()) return true;
    int together = HeadMeter.together(heads);
    boolean all = together == heads.size();
    try {
      List<Answer> answers = meterHeads.again(heads.subList(0, together), nowMs);
      for (int i = 0; i < together; i++) all &= answered(taken.get(i), answers.get(i), nowMs);
    } catch (UnreadableKeyException e) {
      unusable(taken.get(0), e, nowMs);
      for (Taken each : taken.subList(1, together))
        gates.unasked(each.candidate(), 0, nowMs * 1_000);
    } catch (LimiterUnavailableException e) {
      long againMicros = (nowMs + AGAIN_MS) * 1_000;
      for (Taken each : taken.subList(0, together)) gates.rest(each.candidate(), againMicros);
    }
    for (Taken each : taken.subList(together, taken.size()))
      gates.unasked(each.candidate(), 0, nowMs * 1_000);
    return all;
  }

  /** Opens the head of a line, and adds it to those that are metered, unless it need not be. */
  private void open(Candidate candidate, List<Taken> taken, List<Head> heads, long nowMs) {
    long nowMicros = nowMs * 1_000;
    Line line = candidate.line();
    if (line.asksRedis() && services().breaker().isGone()) {
      gates.rest(candidate, nowMicros + AGAIN_MS * 1_000);
      return;
    }
    byte[] row = store.get(LANE.key(line.head(), 0));
    WaitingEvent head = QueuedEvent.waiting(line.head(), row);
    Record<byte[], EventRecord> record = QueuedEvent.record(row).record();
    meter.open(record);
    EventRecord event = record.value();
    if (event.isFaulty()) {
      released(candidate, head, false, nowMicros);
      departures.dead(record);
    } else if (cancellations.cover(head, event)) {
      released(candidate, head, false, nowMicros);
      departures.cancel(record, head, nowMs);
    } else if (!services()
        .home()
        .accepts(event, context.taskId().partition(), services().homed().get())) {
      released(candidate, head, false, nowMicros);
      departures.toHome(record, nowMs);
    } else {
      GateCheck check = changes.check();
      Checked open =
          check.of(check.limits().matchingAtAnyHour(event.event(), nowMs), event.event(), nowMs);
      if (open.isSettled()) {
        settle(new Taken(candidate, head, record), open, nowMs);
        return;
      }
      taken.add(new Taken(candidate, head, record));
      heads.add(
          new Head(
              event,
              open.matching(),
              release(event, head, nowMs),
              candidate.level(),
              candidate.line().sinceMs()));
    }
  }

  private Arrival release(EventRecord event, WaitingEvent head, long nowMs) {
    long sinceMs = Math.max(head.arrivalMs(), head.notBeforeMs());
    long fromMs = Math.min(nowMs, Math.max(sinceMs, nowMs - parts.tickMs()));
    Arrival arrival = services().arrivals().of(event, fromMs);
    return Arrival.release(arrival.identity(), arrival.cost(), fromMs * 1_000, nowMs * 1_000);
  }

  private void settle(Taken taken, Checked settled, long nowMs) {
    if (GateCheck.waits(settled.settled())) {
      gates.refused(taken.candidate(), settled.refusals(), nowMs * 1_000);
      return;
    }
    released(taken.candidate(), taken.waiting(), false, nowMs * 1_000);
    departures.pass(taken.record(), settled.settled(), nowMs);
  }

  /** Returns whether the event has left. */
  private boolean answered(Taken taken, Answer answer, long nowMs) {
    long nowMicros = nowMs * 1_000;
    if (answer instanceof Answer.Unusable unusable) {
      unusable(taken, unusable.why(), nowMs);
      return true;
    }
    if (answer instanceof Answer.Behind behind) {
      if (behind.refusals().isEmpty())
        gates.unasked(taken.candidate(), behind.untilMicros(), nowMicros);
      else gates.refused(taken.candidate(), behind.refusals(), nowMicros);
      return false;
    }
    Metered metered = ((Answer.Decided) answer).metered();
    Verdict verdict = metered.verdict(services().arrivals().duplicates());
    if (!GateCheck.waits(verdict)) {
      released(taken.candidate(), taken.waiting(), usesPermits(verdict), nowMicros);
      departures.pass(taken.record(), verdict, metered.leavesAtMs(nowMs));
      return true;
    }
    List<Refusal> refusals = meterHeads.refusals(metered, nowMs);
    long againMicros = nowMicros + verdict.deciding().get(0).waitMicros();
    if (refusals.isEmpty()) gates.unasked(taken.candidate(), againMicros, nowMicros);
    else gates.refused(taken.candidate(), refusals, nowMicros);
    return false;
  }

  private void unusable(Taken taken, UnreadableKeyException why, long nowMs) {
    released(taken.candidate(), taken.waiting(), false, nowMs * 1_000);
    meter.refuse(taken.record().value(), why);
    departures.dead(taken.record());
  }

  private static boolean usesPermits(Verdict verdict) {
    return verdict.kind() == Verdict.Kind.ALLOWED && !verdict.deciding().isEmpty();
  }

  private void released(
      Candidate candidate, WaitingEvent head, boolean usesPermits, long nowMicros) {
    index.left(candidate, head, usesPermits, nowMicros);
    departures.leave(head);
  }

  private void observe(long nowMs) {
    Map<QueueGauges.Line, QueueGauges.Standing> lines = new HashMap<>();
    for (Line.Kind kind : index.kinds()) {
      for (String limit : kind.key().limits()) {
        QueueGauges.Standing standing =
            new QueueGauges.Standing(kind.length(), kind.oldestMs().orElse(nowMs));
        lines.merge(
            new QueueGauges.Line(limit, kind.key().rank()), standing, QueueGauges.Standing::and);
      }
    }
    reading = new Reading(index.size(), lines);
  }

  @Override
  public String task() {
    return context.taskId().toString();
  }

  @Override
  public long waiting() {
    return reading.waiting;
  }

  @Override
  public long wallMs() {
    return services().opener().wallMs();
  }

  @Override
  public long overdueMs() {
    return 0;
  }

  @Override
  public Map<QueueGauges.Line, QueueGauges.Standing> lines() {
    return reading.lines;
  }

  @Override
  public long nextMs() {
    long nowMs = context.currentSystemTimeMs();
    long nextMs = index.nextMs(nowMs);
    return index.size() == 0 ? nextMs : Math.min(nextMs, changes.nextMs(nowMs));
  }

  @Override
  public void close() {
    asks.cancel();
    share.close();
    services().instruments().delayed().leave(this);
    services().instruments().queues().leave(this);
  }
}
