/**
 * State stores on the heap, or on disk with some rows on the heap, made by {@link
 * io.sluice.topology.store.HeapStores}. The only other package of the topology that it calls is
 * {@code watch}.
 */
package io.sluice.topology.store;
