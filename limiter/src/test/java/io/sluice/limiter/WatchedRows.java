package io.sluice.limiter;

import io.sluice.limiter.rows.Rows;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Rows that count what is asked of them and check that nobody changes an array that was handed
 * over.
 */
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

  /** Bytes in all values. */
  long bytes() {
    return bytes;
  }

  /** Bytes in the longest value. */
  int longest() {
    return rows.values().stream().mapToInt(row -> row.copy.length).max().orElse(0);
  }

  void forEach(BiConsumer<byte[], byte[]> each) {
    Map<ByteBuffer, Row> copy = new HashMap<>(rows);
    copy.forEach((key, row) -> each.accept(key.array(), row.copy));
  }

  /** All that is stored, to compare. */
  Map<String, String> content() {
    Map<String, String> content = new TreeMap<>();
    rows.forEach((key, row) -> content.put(hex(key.array()), hex(row.copy)));
    return content;
  }

  private static String hex(byte[] bytes) {
    return java.util.HexFormat.of().formatHex(bytes);
  }
}
