package io.sluice.topology;

/** What holds limiter state on an instance; its changelog is on the broker either way. */
enum StateStoreKind {
  MEMORY,
  ROCKSDB
}
