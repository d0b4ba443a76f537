package io.sluice.schemas;

/**
 * The bytes are no such record. The message says in one line what is wrong with them, without
 * quoting them.
 *
 * <p>It has no stack trace: bad input may come as fast as good input does, and a trace costs more
 * than everything else that is done with such an event, yet says nothing about it.
 */
public final class UndecodableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UndecodableException(String message) {
    this(message, null);
  }

  UndecodableException(String message, Throwable cause) {
    super(message, cause, false, false);
  }
}
