package io.sluice.topology.delay;

import io.sluice.limiter.redis.Position;
import io.sluice.topology.event.Origin;
import io.sluice.topology.event.UnreadableEventException;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.limit.DelayHeaders;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Matching;
import io.sluice.topology.redis.PendingVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** The preparation of events that are due to be metered again: all that ask Redis do so at once. */
final class Retries {
  private final ShaperProcessor.Node source;
  private final ProcessingContext context;
  private final int partition;

  Retries(ShaperProcessor.Node source, ProcessorContext<?, ?> context) {
    this.source = source;
    this.context = context;
    partition = context.taskId().partition();
  }

  /** An event on its way to the meter, and the row that it leaves. */
  static final class Retry {
    private final Bytes key;
    private final Record<byte[], EventRecord> record;
    private boolean awaitsRedis;

    Retry(Bytes key, Record<byte[], EventRecord> record) {
      this.key = key;
      this.record = record;
    }

    Bytes key() {
      return key;
    }

    Record<byte[], EventRecord> record() {
      return record;
    }

    EventRecord event() {
      return record.value();
    }

    /** Whether it needs an answer of Redis, and there is none. */
    boolean isStuck() {
      return awaitsRedis || event().question().filter(PendingVerdict::isStuck).isPresent();
    }
  }

  Retry open(Bytes key, DelayedEvent delayed) {
    EventRecord event = delayed.record().value();
    long timestampMs = delayed.record().timestamp();
    Origin origin = Origin.UNKNOWN;
    try {
      ReleaseOrder order = ReleaseOrder.of(delayed.record().headers());
      origin = order.origin();
      source.opener().openAgain(delayed.record(), origin);
      event.again(order.attempt() + 1, order.atMs());
      Position claimed = DelayHeaders.askedAs(delayed.record().headers());
      event.wasAskedAs(source.breaker().askedBefore(claimed, partition));
    } catch (UnreadableEventException e) {
      event.faulty(e, origin, timestampMs); // it could be read when it came
    }
    return new Retry(key, delayed.record());
  }

  /** If Redis does not answer, processing stops, and those that must wait for it are stuck. */
  void ask(List<Retry> retries) {
    List<PendingVerdict> questions = new ArrayList<>();
    for (Retry retry : retries) {
      EventRecord event = retry.event();
      if (event.isFaulty()) continue;
      question(retry).ifPresent(event::asks);
      event.question().ifPresent(questions::add);
    }
    source.breaker().askAhead(questions.iterator());
    boolean waits = retries.stream().anyMatch(retry -> retry.awaitsRedis);
    if (waits) source.breaker().holdBack();
  }

  /**
   * What Redis can be asked before the event is metered: nothing if the state store comes first.
   * Then it is known whether Redis is gone.
   */
  private Optional<PendingVerdict> question(Retry retry) {
    EventRecord event = retry.event();
    long comesAtMs = source.arrivals().comesAtMs(context, event);
    Matching matching = source.limits().now().matching(event.event(), comesAtMs);
    if (matching.remote().isEmpty()) return Optional.empty();
    if (!matching.stored().isEmpty()) {
      retry.awaitsRedis = source.breaker().isGone() && PendingVerdict.mustWait(matching.remote());
      return Optional.empty();
    }
    return Optional.of(
        PendingVerdict.ahead(
            partition,
            matching.remote(),
            Limit.buckets(matching.remote(), event.event()),
            source.arrivals().of(event, comesAtMs),
            event.askedAs(),
            source.arrivals().duplicates()));
  }
}
