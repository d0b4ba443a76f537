package io.sluice.topology;

/** A record's value is not an event; the message says what is wrong with it. */
final class UnreadableEventException extends Exception {
  private static final long serialVersionUID = 1L;

  private final FaultKind kind;

  UnreadableEventException(String message) {
    this(FaultKind.UNDECODABLE, message);
  }

  UnreadableEventException(FaultKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  FaultKind kind() {
    return kind;
  }
}
