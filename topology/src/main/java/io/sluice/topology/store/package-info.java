/**
 * The state stores on the heap, made by {@link io.sluice.topology.store.HeapStores}. It calls no
 * other room.
 */
package io.sluice.topology.store;
