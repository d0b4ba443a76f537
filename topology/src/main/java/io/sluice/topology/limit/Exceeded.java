package io.sluice.topology.limit;

/** The treatment of an event that does not conform to a limit. */
public sealed interface Exceeded {
  /** The names of these in the configuration. */
  enum Kind {
    REJECT,
    DELAY,
    RETRY
  }

  /** Refused at once. */
  record Reject() implements Exceeded {}

  /** Given the next free slot, if that is at most {@code maxWaitMicros} away, inclusive. */
  record Delay(long maxWaitMicros) implements Exceeded {}

  /**
   * Metered again after the wait the limit names, lengthened by up to {@code jitter} of itself.
   *
   * @param attempts meterings in all, the first included, before it is rejected
   * @param jitter 0 to 1
   */
  record Retry(int attempts, double jitter) implements Exceeded {}

  /** How long the limit may make an event wait for a slot it reserves; 0 if it reserves none. */
  default long patienceMicros() {
    return this instanceof Delay delay ? delay.maxWaitMicros() : 0;
  }
}
