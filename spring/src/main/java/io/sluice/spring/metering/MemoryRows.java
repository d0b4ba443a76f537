package io.sluice.spring.metering;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sluice.limiter.rows.Rows;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stores the state of limits, one row for a key, in the heap in the order of access, so that the
 * least recently used row can be found.
 */
final class MemoryRows implements Rows {
  /**
   * Access-ordered map. Keys are strings with one character for each byte: unlike arrays, strings
   * are comparable, so lookups stay fast even if callers choose keys with equal hash codes.
   */
  private final Map<String, byte[]> rows = new LinkedHashMap<>(16, 0.75f, true);

  private static String name(byte[] key) {
    return new String(key, ISO_8859_1);
  }

  @Override
  public byte[] get(byte[] key) {
    return rows.get(name(key));
  }

  @Override
  public void put(byte[] key, byte[] value) {
    rows.put(name(key), value);
  }

  @Override
  public void delete(byte[] key) {
    rows.remove(name(key));
  }

  int size() {
    return rows.size();
  }

  /** Returns the key of the least recently used row; empty if there are no rows. */
  Optional<byte[]> eldest() {
    Iterator<String> names = rows.keySet().iterator();
    return names.hasNext() ? Optional.of(names.next().getBytes(ISO_8859_1)) : Optional.empty();
  }
}
