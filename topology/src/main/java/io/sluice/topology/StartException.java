package io.sluice.topology;

/** Sluice could not start; the message says why in one line. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartException(String message) {
    super(message);
  }

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
