package io.sluice.spring.settings;

import java.util.List;

/** Limits that cannot be enforced as they are written. Its message is every mistake, one a line. */
public final class LimitMistakesException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public LimitMistakesException(List<String> mistakes) {
    super(String.join("\n", mistakes));
  }
}
