package io.sluice.schemas;

import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.io.DatumReader;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;

/** Avro data model that knows the Java class of one record, and no other class. */
final class RecordModel<T extends SpecificRecordBase> extends SpecificData {
  /*
   * Since 1.12.2, Avro looks up a class by its name in a schema only if a system property or a
   * setting of the whole JVM declares the class trusted. This model looks up no class, so users of
   * the codecs need not set anything.
   */

  private final Class<T> made;
  private final Schema reader;

  /**
   * @param made class of the records that are read
   * @param reader schema of that class
   */
  RecordModel(Class<T> made, Schema reader) {
    this.made = made;
    this.reader = reader;
    addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
  }

  @Override
  public Class<?> getClass(Schema schema) {
    return schema.getType() == Schema.Type.RECORD ? made : super.getClass(schema);
  }

  /** Returns a reader of records that were written with this schema. Thread-safe. */
  @SuppressWarnings("unchecked") // getClass(Schema) returns the class, so the reader creates T
  DatumReader<T> readerFrom(Schema writer) {
    return createDatumReader(writer, reader);
  }

  /** Returns a reader of records that gets the writer schema later. */
  @SuppressWarnings("unchecked") // getClass(Schema) returns the class, so the reader creates T
  DatumReader<T> readerOfAny() {
    return createDatumReader(null, reader);
  }
}
