package io.sluice.guarantees.fault;

/** Something that goes wrong, for a while: when it returns, it is right again. */
interface Fault {
  /** Whether it had its effect, as far as that can be seen. */
  boolean strike() throws InterruptedException;
}
