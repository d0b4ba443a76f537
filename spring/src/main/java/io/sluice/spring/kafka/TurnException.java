package io.sluice.spring.kafka;

import java.time.Duration;
import java.util.Optional;

/** What tells a container that it is not yet a record's turn. No handler of the user sees it. */
final class TurnException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Duration patience;

  TurnException(Duration patience) {
    super("waits for its turn for " + patience.toMillis() + " ms", null, false, false);
    this.patience = patience;
  }

  Duration patience() {
    return patience;
  }

  /** The one that a container has caught, if it is one. */
  static Optional<TurnException> in(Throwable caught) {
    for (Throwable each = caught; each != null; each = each.getCause()) {
      if (each instanceof TurnException turn) return Optional.of(turn);
    }
    return Optional.empty();
  }
}
