package io.sluice.topology.metering;

import io.sluice.limiter.rows.Rows;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.store.HeapStores;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Rows with the counts of limits, in a Kafka Streams state store. */
record StoreRows(KeyValueStore<Bytes, byte[]> store) implements Rows {
  @Override
  public byte[] get(byte[] key) {
    return store.get(Bytes.wrap(key));
  }

  @Override
  public void put(byte[] key, byte[] value) {
    store.put(Bytes.wrap(key), value);
  }

  @Override
  public void delete(byte[] key) {
    store.delete(Bytes.wrap(key));
  }

  /**
   * Returns the builder of the state store for the counts of limits.
   *
   * @param inMemory whether the store is on the heap; otherwise it is on disk
   * @param prefix first part of the store's name
   */
  static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(boolean inMemory, String prefix) {
    String name = prefix + Nodes.LIMITS;
    KeyValueBytesStoreSupplier kept = inMemory ? HeapStores.hashed(name) : HeapStores.onDisk(name);
    return Stores.keyValueStoreBuilder(kept, Serdes.Bytes(), Serdes.ByteArray());
  }
}
