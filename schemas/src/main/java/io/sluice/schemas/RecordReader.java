package io.sluice.schemas;

import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * Reads the values at the paths of a {@link PathTree} from bodies of one writer schema, regardless
 * of the record's name and its other fields. A body is a record in Avro's binary encoding, without
 * a marker and a fingerprint: this is for formats that name the schema in another way, such as by
 * an id of a registry.
 *
 * <p>Immutable and thread-safe. A reader is slow to create, so it should be kept.
 */
public final class RecordReader {
  private static final Schema READS_NOTHING = Schema.create(Schema.Type.NULL);

  private final PathTree paths;
  private final ReadingPlan.Compiled plan;
  private final long fingerprint;
  private final String name;

  private RecordReader(Schema schema, PathTree paths) {
    this.paths = paths;
    plan = ReadingPlan.of(schema, paths);
    name = schema.getFullName();
    fingerprint = SchemaNormalization.parsingFingerprint64(schema);
  }

  /**
   * Creates a reader from a writer schema in Avro's JSON. Bodies may be hostile; the schema is
   * trusted, like the operator of the registry.
   *
   * @throws IllegalArgumentException if the text is not the schema of a record, or if a field has a
   *     type that it cannot be read from
   */
  public static RecordReader parse(String json, PathTree paths) {
    return parse(List.of(json), paths);
  }

  /**
   * Creates a reader from the last of these schemas, as {@link #parse(String, PathTree)} does. That
   * schema can refer by name to the schemas before it.
   */
  public static RecordReader parse(List<String> definitions, PathTree paths) {
    try {
      Schema.Parser parser = new Schema.Parser();
      Schema last = READS_NOTHING;
      for (String json : definitions) last = parser.parse(json);
      return new RecordReader(last, paths);
    } catch (AvroRuntimeException e) {
      throw new IllegalArgumentException("not an Avro schema: " + e.getMessage(), e);
    }
  }

  /** Returns the full name of the schema's record. */
  public String name() {
    return name;
  }

  /** Returns whether the schema has the path of a slot. */
  public boolean has(int slot) {
    return plan.found().contains(slot);
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
    RecordView view = new RecordView(bytes, offset + length, paths.values());
    plan.step().pass(cursor, view);
    cursor.requireEnd();
    return view;
  }
}
