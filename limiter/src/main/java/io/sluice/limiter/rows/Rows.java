package io.sluice.limiter.rows;

/** A key-value store of bytes that meters keep their state in. Used by one thread at a time. */
public interface Rows {
  /** The value, or null if there is none. The array is not changed by either side. */
  byte[] get(byte[] key);

  void put(byte[] key, byte[] value);

  void delete(byte[] key);

  /** Puts what is there once more, for whoever follows what is written. */
  default void rewrite(byte[] key) {
    byte[] value = get(key);
    if (value != null) put(key, value);
  }
}
