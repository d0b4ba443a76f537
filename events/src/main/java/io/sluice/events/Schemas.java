package io.sluice.events;

import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.schemas.RecordReader;
import java.util.Optional;

/** Source of the Avro schemas that events name, as readers of their records. Thread-safe. */
interface Schemas {
  /**
   * Returns the reader for records of the schema with an id, as in Confluent's format.
   *
   * @throws UnreadableEventException if the id is unknown, or its schema cannot be used for events
   * @throws SchemasUnavailableException if the schema registry does not answer
   */
  RecordReader byId(int id) throws UnreadableEventException;

  /**
   * Returns the reader for records of the schema with a fingerprint, as in Avro's single-object
   * encoding; empty if the fingerprint is unknown.
   */
  Optional<RecordReader> byFingerprint(long fingerprint);

  /**
   * Stops the waiting of threads for a schema registry, now and from now on, because the
   * application ends.
   */
  default void stopWaiting() {}
}
