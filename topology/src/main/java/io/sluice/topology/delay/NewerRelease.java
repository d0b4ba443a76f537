package io.sluice.topology.delay;

import io.sluice.limiter.rows.UnknownFormatException;

/**
 * Creates the error for stored bytes that only a newer release can read; they must not be guessed
 * or skipped.
 */
final class NewerRelease {
  private static final String ADVICE =
      "a newer release has written it. Start that release again. To go back permanently, let it"
          + " run until nothing is delayed any more, and then stop all its instances";

  private NewerRelease() {}

  /**
   * Returns the exception, which ends the instance, because the bytes are the same at every
   * attempt.
   *
   * @param what kind of the row, and its store
   */
  static UnknownFormatException wrote(String what, int found, int known) {
    return new UnknownFormatException(what, found, known, ADVICE);
  }
}
