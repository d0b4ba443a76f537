package io.sluice.cli.simulate;

/** Kind of a file's entries: lines of JSON, or Avro records in single-object encoding. */
enum EntryKind {
  LINE("line", '{'),
  RECORD("record", 0xC3);

  /** Word for such an entry in messages. */
  final String noun;

  private final byte first;

  EntryKind(String noun, int first) {
    this.noun = noun;
    this.first = (byte) first;
  }

  /** Whether an entry begins with the first byte of an event. */
  boolean beginsLikeEvent(byte[] entry) {
    return entry.length > 0 && entry[0] == first;
  }
}
