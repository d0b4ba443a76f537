/**
 * State stores on the heap, or on disk with some rows on the heap. Start at {@link
 * io.sluice.topology.store.HeapStores}, which creates them. The only other package of the topology
 * that this package calls is {@code watch}.
 */
package io.sluice.topology.store;
