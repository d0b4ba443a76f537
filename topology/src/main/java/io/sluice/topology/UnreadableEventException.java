package io.sluice.topology;

/** A record's value is not an event; the message says what is wrong with it. */
final class UnreadableEventException extends Exception {
  private static final long serialVersionUID = 1L;

  private final DeadLetter.Reason reason;

  UnreadableEventException(String message) {
    this(DeadLetter.Reason.UNDECODABLE, message);
  }

  UnreadableEventException(DeadLetter.Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  DeadLetter.Reason reason() {
    return reason;
  }
}
