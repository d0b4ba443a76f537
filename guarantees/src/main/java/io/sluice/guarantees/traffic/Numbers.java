package io.sluice.guarantees.traffic;

/** Names for records, one after another. */
final class Numbers {
  private long made;

  long next() {
    return ++made;
  }
}
