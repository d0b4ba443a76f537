package io.sluice.topology.revision;

/** Bytes are not a revision; the message says in one line which field is wrong, and why. */
public final class UnreadableRevisionException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableRevisionException(String message) {
    super(message, null, false, false);
  }
}
