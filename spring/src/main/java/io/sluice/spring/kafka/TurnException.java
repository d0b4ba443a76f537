package io.sluice.spring.kafka;

import io.sluice.spring.proxy.NotYet;
import java.time.Duration;
import java.util.Optional;

/** What tells a container that it is not yet a record's turn. No handler of the user sees it. */
final class TurnException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final NotYet answer;

  TurnException(NotYet answer) {
    super("waits for its turn for " + answer.patience().toMillis() + " ms", null, false, false);
    this.answer = answer;
  }

  Duration patience() {
    return answer.patience();
  }

  /** Whether it may be the record's turn sooner. */
  boolean isChanged() {
    return answer.isChanged();
  }

  /** The one that a container has caught, if it is one. */
  static Optional<TurnException> in(Throwable caught) {
    for (Throwable each = caught; each != null; each = each.getCause()) {
      if (each instanceof TurnException turn) return Optional.of(turn);
    }
    return Optional.empty();
  }
}
