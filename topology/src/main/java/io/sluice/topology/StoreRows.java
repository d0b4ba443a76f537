package io.sluice.topology;

import io.sluice.limiter.rows.Rows;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** Rows in a Streams state store. */
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
}
