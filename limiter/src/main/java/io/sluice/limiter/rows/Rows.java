package io.sluice.limiter.rows;

/** Key-value store of bytes in which meters keep their state. Used by one thread at a time. */
public interface Rows {
  /**
   * Returns the value, or null if there is none. Neither the store nor the caller changes the
   * array.
   */
  byte[] get(byte[] key);

  void put(byte[] key, byte[] value);

  void delete(byte[] key);

  /**
   * Writes the present value again, for changelogs and other followers; does nothing without a
   * value.
   */
  default void rewrite(byte[] key) {
    byte[] value = get(key);
    if (value != null) put(key, value);
  }
}
