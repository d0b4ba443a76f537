package io.sluice.spring.metering;

import io.sluice.limiter.rows.Rows;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rows in a map, whose keys can be listed. */
final class MemoryRows implements Rows {
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

  int size() {
    return rows.size();
  }

  /** The keys of now, which stay as they are when rows go. */
  List<byte[]> keys() {
    return rows.keySet().stream().map(ByteBuffer::array).toList();
  }
}
