package io.sluice.topology.redis;

/** Redis was gone for longer than an event in processing may wait; its thread is replaced. */
public final class StillUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StillUnavailableException(Throwable cause) {
    super("Redis was gone for longer than processing may wait", cause);
  }
}
