package io.sluice.guarantees.traffic;

/** Generator of the unique numbers of published records. Not thread-safe. */
final class Numbers {
  private long made;

  /** Returns the number that {@link #next} will return, without using it up. */
  long peek() {
    return made + 1;
  }

  long next() {
    return ++made;
  }
}
