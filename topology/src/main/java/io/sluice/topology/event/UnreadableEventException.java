package io.sluice.topology.event;

/** A record's value is not an event; the message says what is wrong with it. */
public final class UnreadableEventException extends Exception {
  private static final long serialVersionUID = 1L;

  private final FaultKind kind;

  public UnreadableEventException(String message) {
    this(FaultKind.UNDECODABLE, message);
  }

  public UnreadableEventException(FaultKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public FaultKind kind() {
    return kind;
  }
}
