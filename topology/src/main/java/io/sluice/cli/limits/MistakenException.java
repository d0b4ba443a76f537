package io.sluice.cli.limits;

import java.util.List;

/** What was asked for cannot be. Its message is every mistake found, one a line. */
final class MistakenException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MistakenException(String mistake) {
    this(List.of(mistake));
  }

  MistakenException(List<String> mistakes) {
    super(String.join("\n", mistakes));
  }

  static void throwIfAny(List<String> mistakes) {
    if (!mistakes.isEmpty()) throw new MistakenException(mistakes);
  }
}
