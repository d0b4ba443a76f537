package io.sluice.topology.event;

import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.schemas.RecordReader;
import java.util.Optional;

/** Source of readers for the records of the schemas that events name. Safe for many threads. */
interface Schemas {
  /**
   * Returns the reader for an id in Confluent's format.
   *
   * @throws UnreadableEventException if the id is unknown, or its schema cannot be used for events
   * @throws SchemasUnavailableException if the source does not answer
   */
  RecordReader byId(int id) throws UnreadableEventException;

  /** Returns the reader for a fingerprint of the single-object encoding; empty if it is unknown. */
  Optional<RecordReader> byFingerprint(long fingerprint);

  /** Releases the threads that wait, and lets no thread wait from now on: the application ends. */
  default void stopWaiting() {}
}
