package io.sluice.limiter.rows;

/** Key-value store of bytes in which meters keep their state. Used by one thread at a time. */
public interface Rows {
  /**
   * Returns the value of a key, or null if the key has none. Neither the store nor the caller
   * changes the array.
   */
  byte[] get(byte[] key);

  void put(byte[] key, byte[] value);

  void delete(byte[] key);

  /**
   * Writes the present value of a key again, so that changelogs and other followers get it; does
   * nothing if the key has no value.
   */
  default void rewrite(byte[] key) {
    byte[] value = get(key);
    if (value != null) put(key, value);
  }
}
