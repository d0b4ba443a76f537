package io.sluice.limiter.rows;

/** The version that every stored row begins with: each kind of row has its own. */
public final class StoredFormat {
  /** Of rows whose format is still the first, and the only one that is read of them. */
  public static final byte VERSION = 1;

  private StoredFormat() {}

  /**
   * Goes on if this build can read the row.
   *
   * @throws UnknownFormatException if another build has written it, in a format of its own
   */
  public static void check(byte[] value, String what) {
    check(value, VERSION, what);
  }

  /**
   * The same, of rows that came to have other formats.
   *
   * @param latest the version that this build writes; it reads all until that
   * @return the version of this row
   */
  public static byte check(byte[] value, byte latest, String what) {
    byte version = value[0];
    if (version < VERSION || version > latest) {
      throw new UnknownFormatException(what, version, latest);
    }
    return version;
  }
}
