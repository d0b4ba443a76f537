package io.sluice.topology.event;

import io.sluice.schemas.RecordReader;
import io.sluice.topology.event.UnreadableEventException.SchemasUnavailableException;
import java.util.Optional;

/** The knowledge how to read the records of a schema that an event names. Safe for many threads. */
interface Schemas {
  /**
   * By the id that Confluent's format has.
   *
   * @throws UnreadableEventException if nobody knows it, or if no event can be read by it
   * @throws SchemasUnavailableException if whoever may know it does not answer
   */
  RecordReader byId(int id) throws UnreadableEventException;

  /** By the fingerprint that Avro's single-object encoding has; empty if nobody here knows it. */
  Optional<RecordReader> byFingerprint(long fingerprint);

  /** Lets go of whoever waits, and from now on nobody waits: the application ends. */
  default void stopWaiting() {}
}
