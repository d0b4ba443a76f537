package io.sluice.limiter.rows;

/** The version that every stored row begins with. */
public final class StoredFormat {
  /** Of the bytes that this build writes, and the only one that it reads. */
  public static final byte VERSION = 1;

  private StoredFormat() {}

  /**
   * Goes on if this build can read the row.
   *
   * @throws UnknownFormatException if another build has written it, in a format of its own
   */
  public static void check(byte[] value, String what) {
    if (value[0] != VERSION) throw new UnknownFormatException(what, value[0], VERSION);
  }
}
