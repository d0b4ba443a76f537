package io.sluice.topology.store;

import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/** The stores on the heap, and those with a part of their rows there. */
public final class HeapStores {
  private HeapStores() {}

  /** A store that finds a row by its hash, and sorts only if it is asked for a range. */
  public static KeyValueBytesStoreSupplier hashed(String name) {
    return new MemoryStore.Supplier(name);
  }

  /** A store in the order of its keys. */
  public static KeyValueBytesStoreSupplier sorted(String name) {
    return new SortedMemoryStore.Supplier(name);
  }

  /** A store on disk, with the rows on the heap that change or are read often. */
  public static KeyValueBytesStoreSupplier onDisk(String name) {
    return new DiskStore.Supplier(Stores.persistentKeyValueStore(name));
  }
}
