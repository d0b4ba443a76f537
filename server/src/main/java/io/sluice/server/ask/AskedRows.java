package io.sluice.server.ask;

import io.sluice.limiter.rows.Rows;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Read-only view of a state store for one API query, while a stream thread may change the store.
 * The state of a key may span several rows; it is consistent if no row has changed since it was
 * read.
 */
final class AskedRows implements Rows {
  private static final byte[] NONE = {};

  private final ReadOnlyKeyValueStore<Bytes, byte[]> store;
  private final Map<Bytes, byte[]> read = new HashMap<>();

  AskedRows(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  @Override
  public byte[] get(byte[] key) {
    byte[] row = read.computeIfAbsent(Bytes.wrap(key), this::row);
    return row == NONE ? null : row;
  }

  private byte[] row(Bytes key) {
    byte[] row = store.get(key);
    return row == null ? NONE : row;
  }

  /**
   * Whether all rows that were read still have the same values, so that together they show one
   * instant.
   */
  boolean areUnchanged() {
    return read.size() < 2
        || read.entrySet().stream()
            .allMatch(each -> Arrays.equals(row(each.getKey()), each.getValue()));
  }

  @Override
  public void put(byte[] key, byte[] value) {
    throw new UnsupportedOperationException("a query must not change rows");
  }

  @Override
  public void delete(byte[] key) {
    throw new UnsupportedOperationException("a query must not change rows");
  }
}
