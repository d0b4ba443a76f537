package io.sluice.topology.limit;

/**
 * The time at which a delayed event is due, and its next step.
 *
 * @param atMs epoch milliseconds
 * @param metersAgain whether it is metered once more, instead of being allowed at last
 */
record Release(long atMs, boolean metersAgain) {
  /** Of an event that is not delayed, or of which it is still to be found. */
  static final Release NONE = new Release(0, false);

  /** At an instant that the limits reserved; never before it, so rounded up. */
  static Release reserved(long atMicros) {
    return new Release((atMicros + 999) / 1_000, false);
  }
}
