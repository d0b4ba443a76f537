package io.sluice.topology.config;

/** The kind of store for an instance's limiter state. Each kind has a changelog on the broker. */
enum StateStoreKind {
  MEMORY,
  ROCKSDB
}
