package io.sluice.bench.scale;

/**
 * The figures of so many keys in a store.
 *
 * @param perSecond events of keys that are known
 * @param cpuMicros what the stream thread takes for one of them
 * @param heapBytes what all keys take of the heap
 * @param diskBytes what the state takes on disk
 * @param restoreMillis from the start on an empty folder to the first output
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
