package io.sluice.schemas;

import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.io.DatumReader;
import org.apache.avro.specific.SpecificData;

/**
 * Avro's view of what objects records become: one that knows {@link UserAction} and no other class.
 */
final class UserActionModel extends SpecificData {
  /*
   * Since 1.12.2 Avro looks up a class by the name in a schema only if a system property or a
   * setting of the whole JVM says that it is trusted. Here nothing is looked up, so nobody who uses
   * the codec has to set anything.
   */

  UserActionModel() {
    addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
  }

  @Override
  public Class<?> getClass(Schema schema) {
    return schema.getType() == Schema.Type.RECORD ? UserAction.class : super.getClass(schema);
  }

  /** A reader of what was written with that schema. Thread-safe. */
  @SuppressWarnings("unchecked") // by getClass, what it reads records into is a UserAction
  DatumReader<UserAction> readerFrom(Schema writer) {
    return createDatumReader(writer, UserAction.getClassSchema());
  }

  /** A reader that is told later what schema was written with. */
  @SuppressWarnings("unchecked") // as above
  DatumReader<UserAction> readerOfAny() {
    return createDatumReader(null, UserAction.getClassSchema());
  }
}
