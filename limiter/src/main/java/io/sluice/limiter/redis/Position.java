package io.sluice.limiter.redis;

/**
 * Position of an arrival in a sequence, such as a partition, that is read in order and, after a
 * failure, again from some way back.
 *
 * @param sequence name of the sequence, the same for all its readers; empty for none
 * @param offset at least 0, rising along the sequence, not always by one
 */
public record Position(String sequence, long offset) {
  /** Position of an arrival that comes once. */
  public static final Position NONE = new Position("", 0);

  public Position {
    if (offset < 0) throw new IllegalArgumentException("an offset must be at least 0: " + offset);
  }

  boolean isNone() {
    return sequence.isEmpty();
  }
}
