package io.sluice.events;

import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.RecordReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Configured source of the Avro schemas that events name by an id: a folder, a schema registry, or
 * none.
 *
 * @param files definitions of the schemas in the folder, by schema id
 * @param folder path of the folder; empty if there is none
 * @param url URL of the schema registry; empty if there is none
 * @param user login at the schema registry; empty if the registry needs none
 */
public record SchemaConfig(
    Map<Integer, String> files, String folder, String url, String user, String password) {
  public static final SchemaConfig NONE = new SchemaConfig(Map.of(), "", "", "", "");

  public SchemaConfig {
    files = Map.copyOf(files);
  }

  public boolean isGiven() {
    return !folder.isEmpty() || !url.isEmpty();
  }

  /** Creates the configured source of schemas, without a request to a schema registry. */
  Schemas open(EventSelectors selectors) {
    if (!folder.isEmpty()) return new SchemaFiles(files, selectors);
    if (url.isEmpty()) return new NoSchemas();
    SchemaRegistry registry = new SchemaRegistry(url, user, password);
    return new RegisteredSchemas(registry, selectors, RegisteredSchemas.PATIENCE, System::nanoTime);
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
    private final Map<Integer, String> unfit = new HashMap<>();

    SchemaFiles(Map<Integer, String> definitions, EventSelectors selectors) {
      byId = new HashMap<>();
      definitions.forEach((id, text) -> read(id, text, selectors));
      byId.values().forEach(each -> byFingerprint.put(each.fingerprint(), each));
    }

    private void read(int id, String definition, EventSelectors selectors) {
      try {
        byId.put(id, selectors.reader(List.of(definition)));
      } catch (IllegalArgumentException e) {
        unfit.put(id, e.getMessage()); // a schema of the events of another topic
      }
    }

    @Override
    public RecordReader byId(int id) throws UnreadableEventException {
      RecordReader reader = byId.get(id);
      if (reader != null) return reader;
      if (unfit.containsKey(id)) {
        throw new UnreadableEventException("schema " + id + " cannot be used: " + unfit.get(id));
      }
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
