package io.sluice.schemas;

import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * A reader of what metering needs out of bodies of one writer's schema, whatever the record is
 * called and whatever else it has in it. No marker, no fingerprint: for formats that name the
 * schema in another way, such as an id from a registry.
 *
 * <p>Immutable and thread-safe. Worth keeping: making one is slow.
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
   * Takes a schema as Avro's JSON. Bodies may be hostile; the schema is trusted, as whoever runs
   * the registry is.
   *
   * @throws IllegalArgumentException if it is no schema of a record, or if a required field is not
   *     where the paths say, or if one is of a type that it cannot be read from
   */
  public static RecordReader parse(String json, FieldPaths paths) {
    return parse(List.of(json), paths);
  }

  /**
   * As {@link #parse(String, FieldPaths)}, of the last schema; those before it are what it refers
   * to by name.
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

  /** The schema's CRC-64-AVRO, by which the single-object encoding names it. */
  public long fingerprint() {
    return fingerprint;
  }

  /**
   * Reads a body.
   *
   * @throws UndecodableException if these bytes are not exactly one record of this schema
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
