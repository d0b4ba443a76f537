package io.sluice.topology;

/**
 * The schema registry does not answer, or refuses to; nothing is known about the event. It says
 * what is wrong in one line.
 */
public class SchemasUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SchemasUnavailableException(String message) {
    super(message);
  }

  SchemasUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Whether it will be so until somebody sets something else. */
  public boolean isLasting() {
    return false;
  }
}
