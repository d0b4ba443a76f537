package io.sluice.topology;

/** A record's value is not an event; the message says what is wrong with it. */
final class UnreadableEventException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableEventException(String message) {
    super(message);
  }
}
