package io.sluice.spring.kafka;

import io.sluice.spring.proxy.RetryLaterError;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells a Kafka listener container that a record must wait for its limit. The application's error
 * handlers do not see this exception.
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

  /** Whether limits have changed, so that the record may be allowed earlier. */
  boolean isChanged() {
    return answer.isChanged();
  }

  /** Finds a {@link TurnException} among the causes of an exception that a container has caught. */
  static Optional<TurnException> in(Throwable caught) {
    for (Throwable each = caught; each != null; each = each.getCause()) {
      if (each instanceof TurnException turn) return Optional.of(turn);
    }
    return Optional.empty();
  }
}
