package io.sluice.topology.store;

import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/** Factory of the stores on the heap, and of those on disk with some rows on the heap. */
public final class HeapStores {
  private HeapStores() {}

  /** Returns a store that finds a row by its hash, and sorts only for a range. */
  public static KeyValueBytesStoreSupplier hashed(String name) {
    return new MemoryStore.Supplier(name);
  }

  /** Returns a store in the order of its keys. */
  public static KeyValueBytesStoreSupplier sorted(String name) {
    return new SortedMemoryStore.Supplier(name);
  }

  /**
   * Returns a store on disk that keeps on the heap the rows that have changed or are read often.
   */
  public static KeyValueBytesStoreSupplier onDisk(String name) {
    return new DiskStore.Supplier(Stores.persistentKeyValueStore(name));
  }
}
