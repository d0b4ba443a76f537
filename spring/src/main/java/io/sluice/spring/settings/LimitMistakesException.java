package io.sluice.spring.settings;

import java.util.List;

/**
 * Thrown if settings or annotations of limits have mistakes. The message has one line for each
 * mistake.
 */
public final class LimitMistakesException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public LimitMistakesException(List<String> mistakes) {
    super(String.join("\n", mistakes));
  }
}
