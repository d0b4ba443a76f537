package io.sluice.topology;

import io.sluice.limiter.LimiterUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;

/** Prepares events that are due to be metered again: all that ask Redis do so at once. */
final class Retries {
  private final Metered metered;
  private final ToLongFunction<Event> clockMs;
  private final EventDecoder decoder = new EventDecoder();

  /**
   * @param clockMs what an event is metered by
   */
  Retries(Metered metered, ToLongFunction<Event> clockMs) {
    this.metered = metered;
    this.clockMs = clockMs;
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
      EventView view = decoder.decode(event.bytes(), origin, timestampMs);
      event.opened(view, origin, timestampMs);
      event.again(order.attempt() + 1, order.release().atMs());
    } catch (UnreadableEventException e) {
      event.faulty(e.getMessage(), origin, timestampMs); // it could be read when it came
    }
    return new Retry(key, delayed.record());
  }

  /** If Redis does not answer, processing stops, and those that must wait for it are stuck. */
  void ask(List<Retry> retries) {
    List<Question> questions = new ArrayList<>();
    for (Retry retry : retries) {
      Event event = retry.event();
      if (event.isFaulty()) continue;
      metered.question(event.view(), clockMs.applyAsLong(event)).ifPresent(event::asks);
      event.question().ifPresent(questions::add);
    }
    if (questions.isEmpty()) return;
    try {
      Prefetcher.answer(metered.breaker(), questions);
    } catch (LimiterUnavailableException e) {
      if (questions.stream().anyMatch(Question::mustWait)) metered.breaker().holdBack();
    }
  }
}
