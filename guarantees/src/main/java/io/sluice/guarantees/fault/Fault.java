package io.sluice.guarantees.fault;

/** Something that goes wrong, for a while: when it returns, it is right again. */
interface Fault {
  void strike() throws InterruptedException;
}
