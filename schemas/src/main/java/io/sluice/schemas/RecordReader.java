package io.sluice.schemas;

import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * Reads the fields that metering needs from bodies of one writer schema, regardless of the record's
 * name and its other fields. A body is a record in Avro's binary encoding, without a marker and a
 * fingerprint: this is for formats that name the schema in another way, such as by an id of a
 * registry.
 *
 * <p>Immutable and thread-safe. A reader is slow to create, so it should be kept.
 */
public final class RecordReader {
  private static final Schema READS_NOTHING = Schema.create(Schema.Type.NULL);

  private final Step step;
  private final long fingerprint;

  private RecordReader(Schema schema, FieldPaths paths) {
    step = ReadingPlan.of(schema, paths);
    fingerprint = SchemaNormalization.parsingFingerprint64(schema);
  }

  /**
   * Creates a reader from a writer schema in Avro's JSON. Bodies may be hostile; the schema is
   * trusted, like the operator of the registry.
   *
   * @throws IllegalArgumentException if the text is not the schema of a record, if a required field
   *     is not where the paths say, or if a field has a type that it cannot be read from
   */
  public static RecordReader parse(String json, FieldPaths paths) {
    return parse(List.of(json), paths);
  }

  /**
   * Creates a reader from the last of these schemas, as {@link #parse(String, FieldPaths)} does.
   * That schema can refer by name to the schemas before it.
   */
  public static RecordReader parse(List<String> definitions, FieldPaths paths) {
    try {
      Schema.Parser parser = new Schema.Parser();
      Schema last = READS_NOTHING;
      for (String json : definitions) last = parser.parse(json);
      return new RecordReader(last, paths);
    } catch (AvroRuntimeException e) {
      throw new IllegalArgumentException("not an Avro schema: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the writer schema's CRC-64-AVRO, by which the single-object encoding names the schema.
   */
  public long fingerprint() {
    return fingerprint;
  }

  /**
   * Reads a body, which is a part of an array.
   *
   * @throws UndecodableException if these bytes are not exactly one record of the writer schema
   * @throws IndexOutOfBoundsException if the array has no such part
   */
  public RecordView read(byte[] bytes, int offset, int length) {
    BodyCursor cursor = new BodyCursor(bytes, offset, length);
    RecordView view = new RecordView(bytes, offset + length);
    step.pass(cursor, view);
    cursor.requireEnd();
    return view;
  }
}
