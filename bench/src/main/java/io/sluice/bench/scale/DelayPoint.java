package io.sluice.bench.scale;

/**
 * The figures of so many delayed events that wait in a store.
 *
 * @param publishMillis until all of them wait, from when the first is published
 * @param restoreMillis from the start on an empty folder until all of them wait again
 * @param heapBytes what all of them take of the heap
 * @param wakeMillis how long the shaper of a partition took when it woke, while others left
 * @param longestWakeMillis the same of the longest
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
