package io.sluice.limiter;

import io.sluice.limiter.rows.Rows;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Rows that count reads and writes, and check that stored arrays are not modified. */
final class WatchedRows implements Rows {
  private record Row(byte[] given, byte[] copy) {}

  private final Map<ByteBuffer, Row> rows = new HashMap<>();
  private long reads;
  private long writes;
  private long bytes;

  @Override
  public byte[] get(byte[] key) {
    reads++;
    Row row = rows.get(ByteBuffer.wrap(key));
    if (row == null) return null;
    if (!Arrays.equals(row.given, row.copy)) throw new AssertionError("a row's array was changed");
    return row.given;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    writes++;
    Row before = rows.put(ByteBuffer.wrap(key.clone()), new Row(value, value.clone()));
    bytes += value.length - (before == null ? 0 : before.copy.length);
  }

  @Override
  public void delete(byte[] key) {
    writes++;
    Row before = rows.remove(ByteBuffer.wrap(key));
    if (before != null) bytes -= before.copy.length;
  }

  long readsAndWrites() {
    return reads + writes;
  }

  int size() {
    return rows.size();
  }

  /** Returns the total size of all values, in bytes. */
  long bytes() {
    return bytes;
  }

  /** Returns the size of the longest value, in bytes. */
  int longest() {
    return rows.values().stream().mapToInt(row -> row.copy.length).max().orElse(0);
  }

  void forEach(BiConsumer<byte[], byte[]> each) {
    Map<ByteBuffer, Row> copy = new HashMap<>(rows);
    copy.forEach((key, row) -> each.accept(key.array(), row.copy));
  }

  /** Returns everything that is stored, for comparison. */
  Map<String, String> content() {
    Map<String, String> content = new TreeMap<>();
    rows.forEach((key, row) -> content.put(hex(key.array()), hex(row.copy)));
    return content;
  }

  private static String hex(byte[] bytes) {
    return java.util.HexFormat.of().formatHex(bytes);
  }
}
