package io.sluice.limiter;

/** The version that every stored row begins with. */
final class StoredFormat {
  /** Of the bytes that this build writes, and the only one that it reads. */
  static final byte VERSION = 1;

  private StoredFormat() {}

  /**
   * Goes on if this build can read the row.
   *
   * @throws UnknownFormatException if another build has written it, in a format of its own
   */
  static void check(byte[] value, String what) {
    if (value[0] != VERSION) throw new UnknownFormatException(what, value[0], VERSION);
  }
}
