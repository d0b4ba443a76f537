package io.sluice.events;

import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.schemas.RecordReader;
import java.util.Optional;

/** Source of the schemas that events name, as readers of their values. Thread-safe. */
interface Schemas {
  /**
   * Returns the reader for values of the schema with an id, as in Confluent's format.
   *
   * @throws UnreadableEventException if the id is unknown, or its schema cannot be used for events
   * @throws SchemasUnavailableException if the schema registry does not answer
   */
  ValueReader byId(SchemaId id) throws UnreadableEventException;

  /**
   * Returns the reader for records of the Avro schema with a fingerprint, as in Avro's
   * single-object encoding; empty if the fingerprint is unknown.
   */
  Optional<RecordReader> byFingerprint(long fingerprint);

  /** Returns whether any schema may be found. */
  default boolean isGiven() {
    return true;
  }

  /**
   * Stops the waiting of threads for a schema registry, now and from now on, because the
   * application ends.
   */
  default void stopWaiting() {}
}
