package io.sluice.topology.delay;

import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Verdict;
import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.Nodes;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Retried events of one task that have their final verdict although the wall clock has not reached
 * their due time, because the clock of their input partition (the latest event time) was ahead.
 * Each event is held in the store until the wall clock reaches its due time.
 */
final class EarlyVerdicts {
  private static final Map<Verdict.Kind, Lane> LANES =
      Map.of(Verdict.Kind.ALLOWED, Lane.ALLOWED, Verdict.Kind.REJECTED, Lane.REJECTED);

  private final ProcessorContext<byte[], EventRecord> context;
  private final EventOpener opener;
  private final DeadLetters deadLetters;
  private final Map<Verdict.Kind, DelayQueue> queues = new EnumMap<>(Verdict.Kind.class);
  private long nextNumber;

  EarlyVerdicts(
      ProcessorContext<byte[], EventRecord> context, EventOpener opener, DeadLetters deadLetters) {
    this.context = context;
    this.opener = opener;
    this.deadLetters = deadLetters;
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(Nodes.WAITING);
    LANES.forEach((kind, lane) -> queues.put(kind, new DelayQueue(store, lane, this::passNumber)));
  }

  private void passNumber(KeyValue<Bytes, byte[]> row) {
    nextNumber = Math.max(nextNumber, DueKey.offset(row.key) + 1);
  }

  /** Returns the number of events that are held until their due time. */
  long waiting() {
    long waiting = 0;
    for (DelayQueue each : queues.values()) waiting += each.waiting();
    return waiting;
  }

  /**
   * Stores an allowed or rejected event until its due time, if the wall clock has not reached the
   * due time.
   *
   * @return whether the event is held
   */
  boolean holdsBack(Record<byte[], EventRecord> leaving, Verdict.Kind kind) {
    EventRecord event = leaving.value();
    boolean early = event.dueMs() > context.currentSystemTimeMs();
    if (!early || kind == Verdict.Kind.DELAYED) return false;
    DelayHeaders.origin(leaving.headers(), event.origin());
    DelayedEvent held = new DelayedEvent(leaving, false, Turn.NONE);
    queues.get(kind).add(LANES.get(kind).key(event.dueMs(), nextNumber++), held.toBytes());
    return true;
  }

  /**
   * Forwards the held events that are due by the wall clock to the sinks for their verdicts, as far
   * as the budget allows.
   */
  void release(long nowMs, PunctuationBudget budget) {
    queues.forEach((kind, queue) -> release(queue, kind, nowMs, budget));
  }

  private void release(DelayQueue queue, Verdict.Kind kind, long nowMs, PunctuationBudget budget) {
    if (queue.mayHaveDue(nowMs)) {
      Bytes readUpTo = queue.after(nowMs);
      try (KeyValueIterator<Bytes, byte[]> rows = queue.due(nowMs)) {
        while (rows.hasNext()) {
          if (budget.isSpent()) {
            readUpTo = rows.peekNextKey();
            break;
          }
          KeyValue<Bytes, byte[]> row = rows.next();
          queue.leave(row.key);
          release(DelayedEvent.of(row.value).record(), kind);
        }
      }
      queue.readUpTo(readUpTo);
    }
    queue.note(nowMs);
  }

  private void release(Record<byte[], EventRecord> leaving, Verdict.Kind kind) {
    EventRecord event = leaving.value();
    event.cameAs(DelayHeaders.takeOrigin(leaving.headers()));
    opener.refuseIfStuck(leaving, kind, event::origin);
    if (event.isFaulty()) {
      context.forward(deadLetters.of(leaving), Nodes.DEAD_LETTERS);
    } else {
      context.forward(leaving, Nodes.of(kind));
    }
  }
}
