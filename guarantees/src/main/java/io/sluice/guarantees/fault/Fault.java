package io.sluice.guarantees.fault;

/** Fault that can be caused; it is over when the method returns. */
interface Fault {
  /** Causes the fault; returns whether it had its effect, as far as that can be seen. */
  boolean strike() throws InterruptedException;
}
