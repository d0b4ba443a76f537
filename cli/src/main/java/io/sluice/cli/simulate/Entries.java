package io.sluice.cli.simulate;

import java.io.IOException;

/** Iterator over the entries of a file of events. Holds one entry at a time. */
interface Entries {
  /** Moves to the next entry; returns false at the end. */
  boolean next() throws IOException;

  /** Returns the number of the entry in the file, 1 for the first. */
  long number();

  /**
   * Whether the entry is longer than {@link Lines#LONGEST}, so that {@link #bytes} is incomplete.
   */
  boolean isTooLong();

  /** Returns the entry without surrounding white space. */
  byte[] bytes();

  EntryKind kind();
}
