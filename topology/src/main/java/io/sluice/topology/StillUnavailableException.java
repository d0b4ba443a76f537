package io.sluice.topology;

/** Redis was gone for longer than an event in processing may wait; its thread is replaced. */
final class StillUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StillUnavailableException(Throwable cause) {
    super("Redis was gone for longer than processing may wait", cause);
  }
}
