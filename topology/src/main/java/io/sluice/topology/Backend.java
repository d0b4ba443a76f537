package io.sluice.topology;

/** Where a limit's counts are kept. */
enum Backend {
  /** Beside the partition: counts are a partition's own. */
  STATE_STORE,
  /** Shared: counts are over all partitions. */
  REDIS
}
