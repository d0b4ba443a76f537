package io.sluice.rules;

/** Thrown if Sluice cannot start; the message says why in one line. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartException(String message) {
    super(message);
  }

  public StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
