package io.sluice.live.change;

import java.util.List;

/** Thrown if a requested change is invalid; it contains all mistakes that were found. */
final class InvalidChangeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<String> mistakes;

  InvalidChangeException(String mistake) {
    this(List.of(mistake));
  }

  InvalidChangeException(List<String> mistakes) {
    super(String.join("\n", mistakes));
    this.mistakes = List.copyOf(mistakes);
  }

  static void throwIfAny(List<String> mistakes) {
    if (!mistakes.isEmpty()) throw new InvalidChangeException(mistakes);
  }

  /** Mistakes in the requested change; each is one line of text. */
  List<String> mistakes() {
    return mistakes;
  }
}
