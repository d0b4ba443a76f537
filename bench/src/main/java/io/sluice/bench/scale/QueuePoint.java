package io.sluice.bench.scale;

/**
 * Figures for a number of events that wait in line in one task, each in a line of its own, behind
 * one limit of all of them.
 *
 * @param waiting number of waiting events, and of lines
 * @param publishMillis time from publishing the first event until all events wait
 * @param restoreMillis time from a start without local state until all events wait again
 * @param heapBytes heap that all waiting events use
 * @param threadShare share of a core that the stream thread uses while events leave at {@link
 *     #RATE} a second
 * @param releasesPerSecond events that leave in a second if the quota is larger than Sluice can use
 */
record QueuePoint(
    String store,
    int waiting,
    long publishMillis,
    long restoreMillis,
    long heapBytes,
    double threadShare,
    double releasesPerSecond)
    implements ScalePoint {
  /** Releases a second that the quota allows while the stream thread is measured. */
  static final int RATE = 1_000;

  @Override
  public int count() {
    return waiting;
  }
}
