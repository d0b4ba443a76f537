package io.sluice.limiter.rows;

/**
 * Checks of the format version, which is the first byte of every stored row. Each kind of row has
 * its own versions.
 */
public final class StoredFormat {
  /** Version of the rows whose format has never changed. */
  public static final byte VERSION = 1;

  private StoredFormat() {}

  /**
   * Checks that this build can read a row.
   *
   * @param what description of the row, for the exception
   * @throws UnknownFormatException if the row has a version that this build does not know
   */
  public static void check(byte[] value, String what) {
    check(value, VERSION, what);
  }

  /**
   * Checks that this build can read a row whose kind has several versions.
   *
   * @param latest version of the rows that this build writes; it reads all versions up to this one
   * @return the row's version
   */
  public static byte check(byte[] value, byte latest, String what) {
    byte version = value[0];
    if (version < VERSION || version > latest) {
      throw new UnknownFormatException(what, version, latest);
    }
    return version;
  }
}
