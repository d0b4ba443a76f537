package io.sluice.topology.store;

import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;

/** The stores on the heap. */
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
}
