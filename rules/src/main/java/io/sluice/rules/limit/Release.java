package io.sluice.rules.limit;

/**
 * Instant at which an event leaves, and its step at that instant.
 *
 * @param atMs epoch milliseconds
 */
record Release(long atMs, Step step) {
  /** Stands for the release of an event that is not delayed, or whose due time is not known yet. */
  static final Release NONE = new Release(0, Step.NONE);

  /** Step of an event at the instant of its release. */
  enum Step {
    /** The event is not delayed, or its due time is not known yet. */
    NONE,
    /** The event is allowed at its due time. */
    ALLOWED,
    /** The event is metered again at its due time. */
    METERED,
    /** The event waits in line; the instant is an estimate. */
    QUEUED,
    /** The event is admitted by a limit with a queue, at the instant. */
    ADMITTED
  }

  /** Returns whether the event is metered again instead of being allowed. */
  boolean metersAgain() {
    return step == Step.METERED || step == Step.QUEUED;
  }

  /**
   * Returns the release at a reserved instant in epoch microseconds. The due time is rounded up to
   * milliseconds, so that it is never early.
   */
  static Release reserved(long atMicros) {
    return new Release((atMicros + 999) / 1_000, Step.ALLOWED);
  }
}
