package io.sluice.limiter;

/**
 * Where one meter keeps its buckets.
 *
 * @param indexes finds what long logs remember; holds nothing that the rows do not
 */
record Storage(Rows rows, LogIndexes indexes) {
  Storage(Rows rows) {
    this(rows, new LogIndexes());
  }
}
