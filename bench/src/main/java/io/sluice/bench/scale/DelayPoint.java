package io.sluice.bench.scale;

/**
 * Figures for a number of delayed events in a store.
 *
 * @param publishMillis from publishing the first event until all are delayed
 * @param restoreMillis from a start without local state until all are delayed again
 * @param heapBytes heap used by all of them
 * @param wakeMillis average duration of a partition's punctuation of the shaper, while events are
 *     released
 * @param longestWakeMillis longest such duration
 */
record DelayPoint(
    String store,
    int waiting,
    long publishMillis,
    long restoreMillis,
    long heapBytes,
    double wakeMillis,
    double longestWakeMillis) {

  double heapBytesEach() {
    return (double) heapBytes / waiting;
  }
}
