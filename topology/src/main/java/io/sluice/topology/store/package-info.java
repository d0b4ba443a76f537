/**
 * The state stores that are on the heap, or on disk behind a part of their rows, made by {@link
 * io.sluice.topology.store.HeapStores}. Of other rooms it calls {@code watch} alone.
 */
package io.sluice.topology.store;
