package io.sluice.topology;

/**
 * Bytes of a newer release, which this one cannot read. Nothing of them may be guessed or passed
 * over, and they are the same each time, so it ends the instance.
 */
final class UnknownFormatException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * @param what was found, and where
   * @param found its version
   * @param known the versions that can be read
   */
  UnknownFormatException(String what, int found, String known) {
    super(
        what
            + " is in format "
            + found
            + ", of which this release knows "
            + known
            + ": a newer release has written it. Start that release again; to go back for good, let"
            + " it run until nothing is delayed any more, and stop all its instances first");
  }
}
