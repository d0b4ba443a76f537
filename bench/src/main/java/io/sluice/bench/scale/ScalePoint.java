package io.sluice.bench.scale;

/** Figures for a number of keys, or of delayed events, in a state store. */
sealed interface ScalePoint permits KeyPoint, DelayPoint {
  String store();

  /** Number of keys, or of delayed events. */
  int count();

  /** Heap that all keys, or all delayed events, use. */
  long heapBytes();

  default double heapBytesEach() {
    return (double) heapBytes() / count();
  }
}
