package io.sluice.limiter.rows;

/**
 * Thrown if stored bytes have a format that this build does not know, because a later release has
 * written them. Nothing is changed: without them, counts would be lost.
 */
public class UnknownFormatException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what the stored bytes are
   * @param found version that they begin with
   * @param known latest version that this build reads
   */
  public UnknownFormatException(String what, int found, int known) {
    this(what, found, known, "run the release that wrote it, or a later one");
  }

  /**
   * Creates an exception with other advice.
   *
   * @param advice what to do
   */
  public UnknownFormatException(String what, int found, int known, String advice) {
    super(
        what
            + " is stored in format "
            + found
            + ", and this release reads up to "
            + known
            + ": "
            + advice);
  }
}
