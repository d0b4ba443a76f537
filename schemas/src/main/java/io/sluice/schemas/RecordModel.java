package io.sluice.schemas;

import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.io.DatumReader;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Avro's view of what objects records become: one that knows the class of one record and no other.
 */
final class RecordModel<T extends SpecificRecordBase> extends SpecificData {
  /*
   * Since 1.12.2 Avro looks up a class by the name in a schema only if a system property or a
   * setting of the whole JVM says that it is trusted. Here nothing is looked up, so nobody who uses
   * the codec has to set anything.
   */

  private final Class<T> made;
  private final Schema reader;

  /**
   * @param made what records are read into
   * @param reader its schema
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

  /** A reader of what was written with that schema. Thread-safe. */
  @SuppressWarnings("unchecked") // by getClass, what it reads records into is of that class
  DatumReader<T> readerFrom(Schema writer) {
    return createDatumReader(writer, reader);
  }

  /** A reader that is told later what schema was written with. */
  @SuppressWarnings("unchecked") // as above
  DatumReader<T> readerOfAny() {
    return createDatumReader(null, reader);
  }
}
