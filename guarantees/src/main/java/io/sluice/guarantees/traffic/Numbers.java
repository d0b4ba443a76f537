package io.sluice.guarantees.traffic;

/** Generator of unique record numbers. Not thread-safe. */
final class Numbers {
  private long made;

  /** Returns the next number without using it up. */
  long peek() {
    return made + 1;
  }

  long next() {
    return ++made;
  }
}
