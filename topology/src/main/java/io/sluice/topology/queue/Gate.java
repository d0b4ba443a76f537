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

  /** Instant at which the closed gate is to be looked at, because it opens or a class rises. */
  long nextMicros;

  int nextPlace = IndexedHeap.NOWHERE;

  // Class and cost of the event that closed the gate.
  int level;
  long cost;
  final Turns waiters;

  /** Whether it is the gate of a pause, or of a limit since the arrival of a head. */
  boolean isNoted;

  /** Number of lines that were taken from here, and whose events have not been answered. */
  int taken;

  int readyPlace = IndexedHeap.NOWHERE;

  Gate(long bucket, Turns waiters) {
    this.bucket = bucket;
    this.ofBucket = true;
    this.waiters = waiters;
  }

  /** Creates a gate of no bucket. */
  Gate(Turns waiters) {
    this.bucket = 0;
    this.ofBucket = false;
    this.waiters = waiters;
  }

  /** Closes the gate until an instant, because the head of a line was refused. */
  void close(long untilMicros, int itsLevel, long itsCost) {
    opensMicros = untilMicros;
    level = itsLevel;
    cost = itsCost;
  }

  /** Notes the next instant at which the gate opens, or the class of a line there rises. */
  void plan() {
    nextMicros = Math.min(opensMicros, waiters.risesMicros());
  }

  /** Returns whether the class of a line there rises before the next instant. */
  boolean risesBeforeOpening() {
    return isClosed() && waiters.risesMicros() < nextMicros;
  }

  void open() {
    opensMicros = OPEN;
  }

  boolean isClosed() {
    return opensMicros != OPEN;
  }

  /**
   * Returns whether the closed gate keeps a head from being asked. A head of a higher class than
   * the event that closed the gate may ask, and so may one of smaller cost, if no other head of its
   * own class or a higher one waits there.
   */
  boolean blocks(int itsLevel, long itsCost) {
    return isAsGreat(itsLevel, itsCost) || waiters.hasBefore(itsLevel);
  }

  private boolean isAsGreat(int itsLevel, long itsCost) {
    return itsLevel >= level && itsCost >= cost;
  }

  /** Returns whether the first line at the closed gate may be asked. */
  boolean letsFirstAsk() {
    return !waiters.isEmpty() && !isAsGreat(waiters.firstLevel(), waiters.first().cost);
  }

  /** Returns whether lines at the gate may be asked. */
  boolean isReady() {
    return !isClosed() && !waiters.isEmpty();
  }

  boolean hasNoLines() {
    return waiters.isEmpty() && taken == 0;
  }

  boolean isIdle() {
    return !isClosed() && hasNoLines();
  }

  /**
   * Refusal of an event by a bucket.
   *
   * @param bucket hash of the bucket
   * @param opensMicros instant at which the bucket may conform, epoch microseconds
   */
  record Refusal(long bucket, long opensMicros) {}
}
