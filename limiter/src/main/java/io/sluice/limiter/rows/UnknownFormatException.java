package io.sluice.limiter.rows;

/**
 * Stored bytes are of a format that this build does not know: a later release has written them.
 * Nothing is changed; going on without them would forget what was counted.
 */
public class UnknownFormatException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what was read
   * @param found the version that it begins with
   * @param known the latest version that this build reads
   */
  public UnknownFormatException(String what, int found, int known) {
    this(what, found, known, "run the release that wrote it, or a later one");
  }

  /**
   * The same.
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
