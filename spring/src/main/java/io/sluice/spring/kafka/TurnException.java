package io.sluice.spring.kafka;

import io.sluice.spring.proxy.RetryLaterError;
import java.time.Duration;
import java.util.Optional;

/**
 * Signals to a container that it is not yet a record's turn. The user's error handlers do not see
 * it.
 */
final class TurnException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final RetryLaterError answer;

  TurnException(RetryLaterError answer) {
    super("over the limit; offered again in " + answer.patienceMs() + " ms", null, false, false);
    this.answer = answer;
  }

  Duration patience() {
    return answer.patience();
  }

  /** Whether limits have changed, so that the record's turn may be earlier. */
  boolean isChanged() {
    return answer.isChanged();
  }

  /** Finds this exception among the causes of one that a container has caught. */
  static Optional<TurnException> in(Throwable caught) {
    for (Throwable each = caught; each != null; each = each.getCause()) {
      if (each instanceof TurnException turn) return Optional.of(turn);
    }
    return Optional.empty();
  }
}
