package io.sluice.topology.event;

import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.RecordReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Configured source of the Avro schemas that events name by an id: a folder, a schema registry, or
 * none.
 *
 * @param files readers for the schemas in the folder, by schema id
 * @param folder path of the folder; empty if there is none
 * @param url URL of the schema registry; empty if there is none
 * @param user login at the schema registry; empty if the registry needs none
 */
public record SchemaConfig(
    Map<Integer, RecordReader> files, String folder, String url, String user, String password) {
  public static final SchemaConfig NONE = new SchemaConfig(Map.of(), "", "", "", "");

  public SchemaConfig {
    files = Map.copyOf(files);
  }

  public boolean isGiven() {
    return !folder.isEmpty() || !url.isEmpty();
  }

  /** Creates the configured source of schemas, without a request to a schema registry. */
  public Schemas open(FieldPaths paths) {
    if (!folder.isEmpty()) return new SchemaFiles(files);
    if (url.isEmpty()) return new NoSchemas();
    SchemaRegistry registry = new SchemaRegistry(url, user, password);
    return new RegisteredSchemas(registry, paths, RegisteredSchemas.PATIENCE, System::nanoTime);
  }

  /** Returns the folder, or the URL and the user, for logs and users, without the password. */
  @Override
  public String toString() {
    if (!folder.isEmpty()) return files.size() + " in " + folder;
    return url + (user.isEmpty() ? "" : ", as " + user);
  }

  /** Source of the schemas in a folder. All schemas were read when the application started. */
  static final class SchemaFiles implements Schemas {
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

  /**
   * Source of schemas if neither a schema registry nor a folder is configured: it has no schema.
   */
  static final class NoSchemas implements Schemas {
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
}
