package io.sluice.topology.event;

import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.RecordReader;
import java.util.Optional;

/** Source of schemas if neither a schema registry nor a folder is configured: it has no schema. */
final class NoSchemas implements Schemas {
  @Override
  public RecordReader byId(int id) throws UnreadableEventException {
    throw new UnreadableEventException(
        "Confluent's format (schema "
            + id
            + ") needs "
            + Keys.SCHEMAS_URL
            + " or "
            + Keys.SCHEMAS_FOLDER);
  }

  @Override
  public Optional<RecordReader> byFingerprint(long fingerprint) {
    return Optional.empty();
  }
}
