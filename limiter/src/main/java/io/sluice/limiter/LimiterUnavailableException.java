package io.sluice.limiter;

/**
 * Thrown if a key's state cannot be read or written. Except for an {@link UnreadableKeyException},
 * it is unknown whether the key was charged.
 */
public class LimiterUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LimiterUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
