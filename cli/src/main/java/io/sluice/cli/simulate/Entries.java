package io.sluice.cli.simulate;

import java.io.IOException;

/** The entries of a file of events. Holds one at a time. */
interface Entries {
  /** Goes to the next entry; returns false if there is none. */
  boolean next() throws IOException;

  /** The entry's number in the file, 1 for the first. */
  long number();

  /** Whether the entry is longer than {@link Lines#LONGEST}, and only a part of it is here. */
  boolean isTooLong();

  /** The entry, without white space around it. */
  byte[] bytes();

  EntryKind kind();
}
