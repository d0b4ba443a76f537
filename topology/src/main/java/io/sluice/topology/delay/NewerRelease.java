package io.sluice.topology.delay;

import io.sluice.limiter.rows.UnknownFormatException;

/**
 * Factory of the error for stored bytes that only a newer release of Sluice can read. An older
 * release must neither guess their meaning nor skip them.
 */
public final class NewerRelease {
  private static final String ADVICE =
      "a newer release has written it. Start that release again. To go back permanently, let it"
          + " run until nothing is delayed any more, and then stop all its instances";

  private NewerRelease() {}

  /**
   * Returns the exception for stored bytes of an unknown format version. It ends the instance,
   * because another attempt would read the same bytes.
   *
   * @param what kind of the stored row, and its store
   * @param found format version that was found
   * @param known latest format version that this release can read
   */
  public static UnknownFormatException wrote(String what, int found, int known) {
    return new UnknownFormatException(what, found, known, ADVICE);
  }
}
