package io.sluice.bench.scale;

/**
 * Figures for a number of delayed events in a state store.
 *
 * @param waiting number of delayed events
 * @param publishMillis time from publishing the first event until all events are delayed
 * @param restoreMillis time from a start without local state until all events are delayed again
 * @param heapBytes heap that all delayed events use
 * @param wakeMillis average duration of one punctuation of the shaper (the processor that releases
 *     delayed events) on one partition, while events are released
 * @param longestWakeMillis longest duration of such a punctuation
 */
record DelayPoint(
    String store,
    int waiting,
    long publishMillis,
    long restoreMillis,
    long heapBytes,
    double wakeMillis,
    double longestWakeMillis)
    implements ScalePoint {

  @Override
  public int count() {
    return waiting;
  }
}
