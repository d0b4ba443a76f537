package io.sluice.guarantees.traffic;

/** Names for records, one after another. */
final class Numbers {
  private long made;

  /** The next that will be made. */
  long peek() {
    return made + 1;
  }

  long next() {
    return ++made;
  }
}
