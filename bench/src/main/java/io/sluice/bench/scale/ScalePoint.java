package io.sluice.bench.scale;

/** Figures for a number of keys, of delayed events or of lines in a state store. */
sealed interface ScalePoint permits KeyPoint, DelayPoint, QueuePoint {
  String store();

  /** Number of keys, of delayed events or of lines. */
  int count();

  /** Heap that all of them use. */
  long heapBytes();

  default double heapBytesEach() {
    return (double) heapBytes() / count();
  }
}
