package io.sluice.topology.queue;

import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.Verdict.Reason;
import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.delay.Retries;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.Nodes;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Events that leave the queue of a task: their rows, their verdicts, and where they go. */
final class Departures {
  private static final Lane LANE = Lane.QUEUED;

  private final Retries.Parts retries;
  private final MeteringServices services;
  private final ProcessorContext<byte[], EventRecord> context;
  private final QueueMeter meter;
  private final LeftEvents left;
  private final KeyValueStore<Bytes, byte[]> store;

  Departures(
      Retries.Parts retries,
      ProcessorContext<byte[], EventRecord> context,
      QueueMeter meter,
      LeftEvents left) {
    this.retries = retries;
    this.context = context;
    this.meter = meter;
    this.left = left;
    services = retries.services();
    store = context.getStateStore(Nodes.WAITING);
  }

  /** Removes the row of an event that leaves, and counts it. */
  void leave(WaitingEvent event) {
    store.delete(LANE.key(event.number(), 0));
    left.add(event.number());
    services.instruments().delayed().released();
    services.instruments().queues().released(event.place().limits(), event.place().rank());
  }

  /** Rejects an event for which no limit was asked, because of the bounds of its wait. */
  void reject(Record<byte[], EventRecord> record, WaitingEvent event, Reason reason, long nowMs) {
    Optional<Limit> limit = firstLimit(event);
    if (record.value().isFaulty()) {
      dead(record);
      return;
    }
    // An event whose limit is gone leaves as one that no limit matches.
    boolean rejects = services.limits().known().ever().rejectsUnmatched();
    Verdict verdict =
        limit.map(each -> Verdict.notQueued(each, reason)).orElse(Verdict.unmatched(rejects));
    pass(record, verdict, nowMs);
  }

  /** Rejects an event that an order has cancelled. */
  void cancel(Record<byte[], EventRecord> record, WaitingEvent event, long nowMs) {
    pass(record, Verdict.cancelled(firstLimit(event)), nowMs);
  }

  /** Sends an event to the partition on which its limits count by now. */
  void toHome(Record<byte[], EventRecord> record, long nowMs) {
    DelayHeaders.toMeterAt(nowMs, record.headers());
    context.forward(record, Nodes.DELAYED);
  }

  /** Returns the first limit for which an event waits; empty if the limit is gone. */
  private Optional<Limit> firstLimit(WaitingEvent event) {
    return services.limits().known().ever().all().stream()
        .filter(each -> each.name().equals(event.place().limits().get(0)))
        .findFirst();
  }

  /** Forwards an event that has left the queue with its final verdict. */
  void pass(Record<byte[], EventRecord> record, Verdict verdict, long nowMs) {
    Verdict last = at(verdict.onAttempt(record.value().attempt()), nowMs);
    Record<byte[], EventRecord> leaving = meter.judged(record, last, nowMs);
    context.forward(leaving, Nodes.of(last.kind()));
  }

  /** Forwards an event that cannot be read, or metered. */
  void dead(Record<byte[], EventRecord> record) {
    context.forward(retries.deadLetters().of(record), Nodes.DEAD_LETTERS);
  }

  /** Returns the verdict with the instant at which the event leaves, if it is allowed. */
  static Verdict at(Verdict verdict, long nowMs) {
    return verdict.kind() == Verdict.Kind.ALLOWED ? verdict.admittedAt(nowMs) : verdict;
  }
}
