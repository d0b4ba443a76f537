package io.sluice.schemas;

/**
 * Thrown if bytes are not a record of the expected kind. The message says in one line what is wrong
 * with the bytes, without quoting them.
 *
 * <p>The exception has no stack trace: bad input can come as fast as good input, and a trace would
 * cost more than all other work for such an event, without saying anything about the input.
 */
public class UndecodableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UndecodableException(String message) {
    this(message, null);
  }

  UndecodableException(String message, Throwable cause) {
    super(message, cause, false, false);
  }
}
