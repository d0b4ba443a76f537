package io.sluice.topology.delay;

import io.sluice.limiter.rows.UnknownFormatException;

/** A release whose bytes this one cannot read: nothing of them may be guessed or passed over. */
final class NewerRelease {
  private static final String ADVICE =
      "a newer release has written it. Start that release again. To go back permanently, let it"
          + " run until nothing is delayed any more, and then stop all its instances";

  private NewerRelease() {}

  /**
   * Ends the instance, when it is thrown: the bytes are the same each time.
   *
   * @param what was found, and where
   */
  static UnknownFormatException wrote(String what, int found, int known) {
    return new UnknownFormatException(what, found, known, ADVICE);
  }
}
