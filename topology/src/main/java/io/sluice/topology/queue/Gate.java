package io.sluice.topology.queue;

/**
 * Gate at which the heads of lines wait: of a bucket that refused one of them, until the bucket may
 * conform; or of no bucket, until an instant. Not thread-safe.
 */
final class Gate {
  private static final long OPEN = Long.MIN_VALUE;

  final long bucket;
  final boolean ofBucket;
  long opensMicros = OPEN;

  /** Instant at which the closed gate opens; null if it is open. */
  Opening opening;

  // Class and cost of the event that closed the gate.
  int rank;
  long cost;
  final LineHeap waiters = new LineHeap(LineHeap.Order.TURN);

  /** First line of an open gate, which waits for its turn to be asked. */
  Line asking;

  Gate(long bucket, boolean ofBucket) {
    this.bucket = bucket;
    this.ofBucket = ofBucket;
  }

  /** Closes the gate until an instant, because the head of a line was refused. */
  Opening close(long untilMicros, Line by) {
    opensMicros = untilMicros;
    rank = by.rank();
    cost = by.cost;
    opening = new Opening(untilMicros, this);
    return opening;
  }

  void open() {
    opensMicros = OPEN;
    opening = null;
  }

  boolean isClosed() {
    return opensMicros != OPEN;
  }

  /** Returns whether the gate is closed, and a head that comes before a line waits there. */
  boolean isClosedBefore(Line line) {
    if (!isClosed()) return false;
    boolean waits = !waiters.isEmpty() && waiters.first().isBefore(line);
    return waits || (asking != null && asking.isBefore(line));
  }

  /**
   * Returns whether the gate keeps a head from being asked. A head of a higher class than the event
   * that closed the gate may ask, and so may one of smaller cost if no other head of its own class
   * or a higher one waits there.
   */
  boolean blocks(Line line) {
    if (!isClosed() || line.rank() < rank) return false;
    return line.cost >= cost || hasBefore(line.rank());
  }

  /** Returns whether a head of this class or a higher one waits here. */
  boolean hasBefore(int itsRank) {
    if (asking != null && asking.rank() <= itsRank) return true;
    return !waiters.isEmpty() && waiters.first().rank() <= itsRank;
  }

  boolean hasNoLines() {
    return waiters.isEmpty() && asking == null;
  }

  boolean isIdle() {
    return !isClosed() && hasNoLines();
  }

  /** Instant at which a gate opens, unless the gate was opened or closed again before. */
  static final class Opening implements Comparable<Opening> {
    final long atMicros;
    final Gate gate;

    Opening(long atMicros, Gate gate) {
      this.atMicros = atMicros;
      this.gate = gate;
    }

    @SuppressWarnings("ReferenceEquality") // a gate knows its last opening
    boolean isCurrent() {
      return gate.opening == this;
    }

    @Override
    public int compareTo(Opening other) {
      return Long.compare(atMicros, other.atMicros);
    }
  }

  /**
   * Refusal of an event by a bucket.
   *
   * @param bucket hash of the bucket
   * @param opensMicros instant at which the bucket may conform, epoch microseconds
   */
  record Refusal(long bucket, long opensMicros) {}
}
