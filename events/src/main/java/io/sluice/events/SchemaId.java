package io.sluice.events;

import java.util.UUID;

/**
 * Id of a schema in its registry: a number, or a GUID of Confluent's registry. Immutable.
 *
 * @param number number of the schema; -1 if it has a GUID
 * @param guid GUID; all zero if the schema has a number
 */
record SchemaId(long number, UUID guid) {
  private static final UUID NO_GUID = new UUID(0, 0);

  /** Returns the id that a number is. */
  static SchemaId of(long number) {
    return new SchemaId(number, NO_GUID);
  }

  static SchemaId of(UUID guid) {
    return new SchemaId(-1, guid);
  }

  boolean isNumber() {
    return number >= 0;
  }

  /**
   * Returns whether each registry understands a request for the id. Some do not, if it is a GUID or
   * a number of more than 31 bits, and then answer as if their URL were wrong.
   */
  boolean isCommon() {
    return isNumber() && number <= Integer.MAX_VALUE;
  }

  /** Returns the path of the schema in the HTTP interface of a registry. */
  String path() {
    return isNumber() ? "/schemas/ids/" + number : "/schemas/guids/" + guid;
  }

  @Override
  public String toString() {
    return isNumber() ? Long.toString(number) : guid.toString();
  }
}
