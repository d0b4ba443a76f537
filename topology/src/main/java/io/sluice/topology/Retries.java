package io.sluice.topology;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.redis.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;

/** Prepares events that are due to be metered again: all that ask Redis do so at once. */
final class Retries {
  private final Metered metered;
  private final int partition;
  private final ToLongFunction<Event> comesAtMs;

  /**
   * @param partition whose events these are
   * @param comesAtMs when an event comes to be metered
   */
  Retries(Metered metered, int partition, ToLongFunction<Event> comesAtMs) {
    this.metered = metered;
    this.partition = partition;
    this.comesAtMs = comesAtMs;
  }

  /** An event on its way to the meter, and the row that it leaves. */
  record Retry(Bytes key, Record<byte[], Event> record) {
    Event event() {
      return record.value();
    }

    /** Whether it needs an answer of Redis, and there is none. */
    boolean isStuck() {
      return event()
          .question()
          .filter(asked -> !asked.isAnswered() && asked.mustWait())
          .isPresent();
    }
  }

  Retry open(Bytes key, DelayedEvent delayed) {
    Event event = delayed.record().value();
    long timestampMs = delayed.record().timestamp();
    String origin = "";
    try {
      ReleaseOrder order = ReleaseOrder.of(delayed.record().headers());
      origin = order.origin();
      EventView view = metered.decoder().decode(event.bytes(), origin, timestampMs);
      event.opened(view, origin, timestampMs);
      event.again(order.attempt() + 1, order.release().atMs());
    } catch (UnreadableEventException e) {
      event.faulty(e, origin, timestampMs); // it could be read when it came
    }
    return new Retry(key, delayed.record());
  }

  /** If Redis does not answer, processing stops, and those that must wait for it are stuck. */
  void ask(List<Retry> retries) {
    List<Question> questions = new ArrayList<>();
    for (Retry retry : retries) {
      Event event = retry.event();
      if (event.isFaulty()) continue;
      question(event).ifPresent(event::asks);
      event.question().ifPresent(questions::add);
    }
    metered.breaker().askAhead(questions.iterator());
  }

  /**
   * What Redis can be asked before the event is metered: nothing if the state store comes first.
   */
  private Optional<Question> question(Event event) {
    List<Limit> remote = Metered.matching(metered.remote(), event.view());
    if (remote.isEmpty() || metered.countsHere(event.view())) return Optional.empty();
    List<Bucket> buckets = Metered.buckets(remote, event.view());
    long comesAtMs = this.comesAtMs.applyAsLong(event);
    return Optional.of(
        metered.question(partition, event, comesAtMs, remote, buckets, Position.NONE));
  }
}
