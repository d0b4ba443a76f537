package io.sluice.cli.simulate;

/**
 * Kind of the entries of an event file: lines of JSON, or Avro records in single-object encoding.
 */
enum EntryKind {
  LINE("line", '{'),
  RECORD("record", 0xC3);

  /** Word for an entry of this kind in messages: line or record. */
  final String noun;

  private final byte first;

  EntryKind(String noun, int first) {
    this.noun = noun;
    this.first = (byte) first;
  }

  /** Whether the first byte of an entry is the byte with which all events of this kind begin. */
  boolean beginsLikeEvent(byte[] entry) {
    return entry.length > 0 && entry[0] == first;
  }
}
