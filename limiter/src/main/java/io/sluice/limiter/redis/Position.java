package io.sluice.limiter.redis;

/**
 * Position of an arrival in a sequence, such as a Kafka partition. The sequence is read in order,
 * and after a failure read again from an earlier position.
 *
 * @param sequence name of the sequence, the same for all its readers; empty for an arrival without
 *     a sequence
 * @param offset offset in the sequence, at least 0; offsets rise along the sequence, not always by
 *     one
 * @param keptFrom offset from which on Redis must keep its answers to the sequence, from 0 to
 *     {@code offset}, because the sequence may be read again from there
 * @param other name of another sequence with the same offsets, as a part of which Redis may have
 *     been asked about the arrival before; empty if there is none
 */
public record Position(String sequence, long offset, long keptFrom, String other) {
  /** Number of arrivals of a sequence to which Redis keeps its answers. */
  public static final int KEPT = 20_000;

  /** Position of an arrival that belongs to no sequence. */
  public static final Position NONE = new Position("", 0);

  public Position {
    if (offset < 0) throw new IllegalArgumentException("an offset must be at least 0: " + offset);
    if (keptFrom < 0 || keptFrom > offset) {
      throw new IllegalArgumentException(
          "keptFrom must be from 0 to %d: %d".formatted(offset, keptFrom));
    }
  }

  /** Creates a position in a sequence without large gaps between offsets. */
  public Position(String sequence, long offset) {
    this(sequence, offset, Math.max(0, offset - KEPT), "");
  }

  boolean isNone() {
    return sequence.isEmpty();
  }
}
