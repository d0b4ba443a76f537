package io.sluice.bench.scale;

/**
 * Figures for a number of keys in a state store.
 *
 * @param perSecond events per second, for events of known keys
 * @param cpuMicros CPU time of the stream threads for one event of a known key
 * @param heapBytes heap that all keys use
 * @param diskBytes size of the state store on disk
 * @param restoreMillis time from a start without local state to the first output
 */
record KeyPoint(
    String store,
    int keys,
    double perSecond,
    double cpuMicros,
    long heapBytes,
    long diskBytes,
    long restoreMillis)
    implements ScalePoint {

  @Override
  public int count() {
    return keys;
  }

  double diskBytesEach() {
    return (double) diskBytes / keys;
  }
}
