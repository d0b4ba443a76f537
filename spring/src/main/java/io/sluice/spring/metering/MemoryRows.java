package io.sluice.spring.metering;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sluice.limiter.rows.Rows;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Rows in a map, which knows the one that has not been looked at for the longest time. */
final class MemoryRows implements Rows {
  /**
   * In the order in which they were last looked at. The names are texts with a character for each
   * byte: a map finds texts soon even if somebody chooses keys so that all have the same hash.
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

  /** The key of the row that has not been looked at for the longest time, if there is any. */
  Optional<byte[]> eldest() {
    Iterator<String> names = rows.keySet().iterator();
    return names.hasNext() ? Optional.of(names.next().getBytes(ISO_8859_1)) : Optional.empty();
  }
}
