package io.sluice.schemas;

import org.apache.avro.Schema;

/**
 * Values of a record at the paths of a {@link PathTree}, and its attributes, read directly from the
 * record's bytes by a {@link RecordReader}.
 *
 * <p>The whole record is checked when the view is created. From then on, the view is thread-safe as
 * long as the byte array is not modified: the view keeps the array, not a copy.
 */
public final class RecordView {
  private static final Schema NO_ATTRIBUTES = Schema.create(Schema.Type.NULL);

  private final byte[] bytes;
  private final int end;
  private final Values values;
  private Schema attributes = NO_ATTRIBUTES;
  private int attributesOffset;

  RecordView(byte[] bytes, int end, Values values) {
    this.bytes = bytes;
    this.end = end;
    this.values = values;
  }

  /** Notes the schema of the attributes, a map or a record, and the index of their first byte. */
  void takeAttributes(Schema schema, int offset) {
    attributes = schema;
    attributesOffset = offset;
  }

  public Values values() {
    return values;
  }

  /**
   * Returns the attribute with this name, read from the bytes at every call; empty if there is no
   * such attribute. If a map has several entries with the name, the last one counts.
   */
  public String attribute(String name) {
    BodyCursor cursor = new BodyCursor(bytes, attributesOffset, end - attributesOffset);
    return AttributeScan.find(name, attributes, cursor);
  }
}
