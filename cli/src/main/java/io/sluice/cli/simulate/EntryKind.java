package io.sluice.cli.simulate;

/** The kind of a file's entries: lines of JSON, or records of Avro in single-object encoding. */
enum EntryKind {
  LINE("line", '{'),
  RECORD("record", 0xC3);

  /** What people call such an entry. */
  final String noun;

  private final byte first;

  EntryKind(String noun, int first) {
    this.noun = noun;
    this.first = (byte) first;
  }

  /** Whether an entry begins as an event does. */
  boolean beginsLikeEvent(byte[] entry) {
    return entry.length > 0 && entry[0] == first;
  }
}
