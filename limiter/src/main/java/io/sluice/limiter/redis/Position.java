package io.sluice.limiter.redis;

/**
 * The place that an arrival comes from, if that is something that is read in order and, after a
 * failure, again from some way back.
 *
 * @param sequence the name of what is read, the same for everybody who reads it; empty for none
 * @param offset at least 0, rising along the sequence, if not always by one
 */
public record Position(String sequence, long offset) {
  /** Of what comes once. */
  public static final Position NONE = new Position("", 0);

  public Position {
    if (offset < 0) throw new IllegalArgumentException("an offset must be at least 0: " + offset);
  }

  boolean isNone() {
    return sequence.isEmpty();
  }
}
