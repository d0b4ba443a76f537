package io.sluice.bench.scale;

/**
 * Figures for a number of keys in a store.
 *
 * @param perSecond rate of events of known keys
 * @param cpuMicros CPU time of the stream threads for one such event
 * @param heapBytes heap used by all keys
 * @param diskBytes size of the state on disk
 * @param restoreMillis from a start without local state to the first output
 */
record KeyPoint(
    String store,
    int keys,
    double perSecond,
    double cpuMicros,
    long heapBytes,
    long diskBytes,
    long restoreMillis) {

  double heapBytesEach() {
    return (double) heapBytes / keys;
  }

  double diskBytesEach() {
    return (double) diskBytes / keys;
  }
}
