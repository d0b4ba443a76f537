package io.sluice.limiter.redis;

/**
 * Position of an arrival in a sequence, such as a Kafka partition. The sequence is read in order,
 * and after a failure read again from an earlier position.
 *
 * @param sequence name of the sequence, the same for all its readers; empty for an arrival without
 *     a sequence
 * @param offset offset in the sequence, at least 0; offsets rise along the sequence, not always by
 *     one
 */
public record Position(String sequence, long offset) {
  /** Position of an arrival that belongs to no sequence. */
  public static final Position NONE = new Position("", 0);

  public Position {
    if (offset < 0) throw new IllegalArgumentException("an offset must be at least 0: " + offset);
  }

  boolean isNone() {
    return sequence.isEmpty();
  }
}
