package io.sluice.embedded;

/**
 * Thrown if an embedded server did not start. The message gives the reason in one line for users.
 */
public class EmbeddedStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EmbeddedStartException(String reason) {
    super(oneLine(reason));
  }

  EmbeddedStartException(String reason, Throwable cause) {
    super(oneLine(reason), cause);
  }

  /** Returns the message of a failure's innermost cause, which names the actual problem. */
  static String innermost(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) cause = cause.getCause();
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
