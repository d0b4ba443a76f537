package io.sluice.rules.limit;

/**
 * Due time of a delayed event, and its next step.
 *
 * @param atMs epoch milliseconds
 * @param metersAgain whether the event is metered again instead of being allowed
 */
record Release(long atMs, boolean metersAgain) {
  /** Stands for the release of an event that is not delayed, or whose due time is not known yet. */
  static final Release NONE = new Release(0, false);

  /**
   * Returns the release at a reserved instant in epoch microseconds. The due time is rounded up to
   * milliseconds, so that it is never early.
   */
  static Release reserved(long atMicros) {
    return new Release((atMicros + 999) / 1_000, false);
  }
}
