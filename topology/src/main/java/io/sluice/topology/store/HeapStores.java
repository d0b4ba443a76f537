package io.sluice.topology.store;

import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/** Factory of state stores on the heap, and of state stores on disk with some rows on the heap. */
public final class HeapStores {
  private HeapStores() {}

  /** Returns a store on the heap that is a hash table; only a range query sorts its rows. */
  public static KeyValueBytesStoreSupplier hashed(String name) {
    return new HeapStore.Supplier(name, MemoryStore::new);
  }

  /** Returns a store on the heap that keeps its rows in the order of their keys. */
  public static KeyValueBytesStoreSupplier sorted(String name) {
    return new HeapStore.Supplier(name, SortedMemoryStore::new);
  }

  /** Returns a store on disk that keeps on the heap the rows that changed or were recently read. */
  public static KeyValueBytesStoreSupplier onDisk(String name) {
    return new DiskStore.Supplier(Stores.persistentKeyValueStore(name));
  }
}
