package io.sluice.schemas;

import java.io.IOException;
import java.util.Locale;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;

/**
 * Schema with which actions were written. It reads bodies (actions in Avro's binary encoding)
 * without a marker and a fingerprint: this is for formats that name the writer schema in another
 * way, such as by an id of a registry.
 *
 * <p>Immutable and thread-safe. A writer schema is slow to create, so it should be kept.
 */
public final class WriterSchema {
  private static final Schema READER = UserAction.getClassSchema();
  private static final String MILLIS = "timestamp-millis";

  private final Schema schema;
  private final boolean current;
  private final DatumReader<UserAction> reader;

  private WriterSchema(Schema schema) {
    requireReadable(schema);
    this.schema = schema;
    this.current = wireForm(schema).equals(wireForm(READER));
    this.reader = new RecordModel<>(UserAction.class, READER).readerFrom(schema);
  }

  /**
   * Creates a writer schema from Avro's JSON. Bodies may be hostile; the schema is trusted, like
   * the operator of the registry.
   *
   * @throws IllegalArgumentException if the text is not a schema, or is one from which no {@link
   *     UserAction} can be read by Avro's rules of resolution
   */
  public static WriterSchema parse(String json) {
    try {
      return of(new Schema.Parser().parse(json));
    } catch (AvroRuntimeException e) {
      throw new IllegalArgumentException("not an Avro schema: " + e.getMessage(), e);
    }
  }

  static WriterSchema of(Schema schema) {
    return new WriterSchema(schema);
  }

  /**
   * Decodes a body, which is a part of an array.
   *
   * @throws UndecodableException if these bytes are not exactly one record of this schema
   * @throws IndexOutOfBoundsException if the array has no such part
   */
  public UserAction decode(byte[] bytes, int offset, int length) {
    // Checked first, because Avro's own reader accepts trailing bytes, malformed UTF-8 and wrong
    // block sizes.
    BodyCheck.check(schema, new BodyCursor(bytes, offset, length));
    try {
      return reader.read(null, DecoderFactory.get().binaryDecoder(bytes, offset, length, null));
    } catch (IOException | AvroRuntimeException e) {
      throw new UndecodableException("not readable as a UserAction: " + e.getMessage(), e);
    }
  }

  /**
   * Creates a view of a body, which is a part of an array. A body of an older schema is decoded,
   * and encoded again with the current schema, so that views read only one schema.
   *
   * @throws UndecodableException if these bytes are not exactly one record of this schema
   * @throws IndexOutOfBoundsException if the array has no such part
   */
  public UserActionView view(byte[] bytes, int offset, int length) {
    return current
        ? UserActionView.ofBody(bytes, offset, length)
        : UserActionView.of(UserActionCodec.encode(decode(bytes, offset, length)));
  }

  private static String wireForm(Schema schema) {
    return SchemaNormalization.toParsingForm(schema);
  }

  private static void requireReadable(Schema writer) {
    if (writer.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException("must be a record, not a " + writer.getType().getName());
    }
    for (Incompatibility found :
        SchemaCompatibility.checkReaderWriterCompatibility(READER, writer)
            .getResult()
            .getIncompatibilities()) {
      throw new IllegalArgumentException("cannot be read as UserAction: " + describe(found));
    }
    // The unit of the time is checked, because Avro silently takes one unit of time for another.
    String unit = writer.getField("occurredAt").schema().getProp("logicalType");
    if (unit != null && !unit.equals(MILLIS)) {
      throw new IllegalArgumentException("occurredAt: must be " + MILLIS + ", not " + unit);
    }
  }

  private static String describe(Incompatibility found) {
    String kind = found.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return kind + " at " + found.getLocation() + ": " + found.getMessage();
  }
}
