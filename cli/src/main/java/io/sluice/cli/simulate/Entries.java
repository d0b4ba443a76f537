package io.sluice.cli.simulate;

import java.io.IOException;

/** Iterator over the entries of an event file. Holds one entry in memory at a time. */
interface Entries {
  /** Moves to the next entry; returns false at the end. */
  boolean next() throws IOException;

  /** Returns the position of the current entry in the file, 1 for the first entry. */
  long number();

  /**
   * Whether the current entry is longer than {@link Lines#LONGEST}, so that {@link #bytes} is
   * incomplete.
   */
  boolean isTooLong();

  /** Returns the content of the current entry, without surrounding white space. */
  byte[] bytes();

  EntryKind kind();
}
