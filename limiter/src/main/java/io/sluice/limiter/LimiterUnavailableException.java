package io.sluice.limiter;

/** A key's state could not be read or written; whether it was charged is not known. */
public class LimiterUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LimiterUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
