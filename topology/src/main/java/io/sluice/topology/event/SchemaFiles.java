package io.sluice.topology.event;

import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.RecordReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Source of the schemas in a folder. All schemas were read when the application started. */
final class SchemaFiles implements Schemas {
  private final Map<Integer, RecordReader> byId;
  private final Map<Long, RecordReader> byFingerprint = new HashMap<>();

  SchemaFiles(Map<Integer, RecordReader> byId) {
    this.byId = byId;
    byId.values().forEach(each -> byFingerprint.put(each.fingerprint(), each));
  }

  @Override
  public RecordReader byId(int id) throws UnreadableEventException {
    RecordReader reader = byId.get(id);
    if (reader != null) return reader;
    throw new UnreadableEventException(
        "schema " + id + " is unknown: " + Keys.SCHEMAS_FOLDER + " has no " + id + ".avsc");
  }

  @Override
  public Optional<RecordReader> byFingerprint(long fingerprint) {
    return Optional.ofNullable(byFingerprint.get(fingerprint));
  }
}
