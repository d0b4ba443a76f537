package io.sluice.limiter.rows;

/**
 * Thrown if stored bytes have a format that this build does not know, because a later release has
 * written them. The bytes stay unchanged: without them, counts would be lost.
 */
public class UnknownFormatException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what description of the stored bytes
   * @param found version with which the bytes begin
   * @param known latest version that this build reads
   */
  public UnknownFormatException(String what, int found, int known) {
    this(what, found, known, "run the release that wrote it, or a later one");
  }

  /**
   * Creates an exception with other advice than to run the later release.
   *
   * @param advice next step for the operator
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
