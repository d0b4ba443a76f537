package io.sluice.guarantees.fault;

/** Fault in a test run; the fault is over when {@link #strike} returns. */
interface Fault {
  /** Causes the fault; returns whether the fault had its effect, as far as the suite can see it. */
  boolean strike() throws InterruptedException;
}
