package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Key-value store of bytes in a hash map on the heap. */
public final class HeapRows implements Rows {
  private final Map<ByteBuffer, byte[]> rows = new HashMap<>();

  @Override
  public byte[] get(byte[] key) {
    return rows.get(ByteBuffer.wrap(key));
  }

  @Override
  public void put(byte[] key, byte[] value) {
    rows.put(ByteBuffer.wrap(key), value);
  }

  @Override
  public void delete(byte[] key) {
    rows.remove(ByteBuffer.wrap(key));
  }

  /** Does nothing, because a hash map has no changelog. */
  @Override
  public void rewrite(byte[] key) {}

  /** Returns the number of rows. */
  public int size() {
    return rows.size();
  }
}
