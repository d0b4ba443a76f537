package io.sluice.events;

import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.RecordReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Configured source of the schemas that events name by an id: a folder, a schema registry, or none.
 *
 * @param files definitions of the schemas in the folder, by schema id
 * @param folder path of the folder; empty if there is none
 * @param idBytes number of bytes of a schema id before the body of a value: 4 or 8
 */
public record SchemaConfig(
    Map<Long, SchemaDefinition> files, String folder, Login registry, int idBytes) {
  public static final SchemaConfig NONE =
      new SchemaConfig(Map.of(), "", new Login("", "", ""), Integer.BYTES);

  public SchemaConfig {
    files = Map.copyOf(files);
  }

  /**
   * Address of a schema registry, and the login there.
   *
   * @param url URL of the registry; empty if there is none
   * @param user name for the login; empty if the registry needs none
   */
  public record Login(String url, String user, String password) {
    /** Returns the URL and the user, without the password. */
    @Override
    public String toString() {
      return url + (user.isEmpty() ? "" : ", as " + user);
    }
  }

  public boolean isGiven() {
    return !folder.isEmpty() || !url().isEmpty();
  }

  /** Returns the URL of the schema registry; empty if there is none. */
  public String url() {
    return registry.url;
  }

  /** Returns the login at the schema registry; empty if the registry needs none. */
  public String user() {
    return registry.user;
  }

  /** Creates the configured source of schemas, without a request to a schema registry. */
  Schemas open(EventSelectors selectors) {
    if (!folder.isEmpty()) return new SchemaFiles(files, selectors);
    if (url().isEmpty()) return new NoSchemas();
    SchemaRegistry client = new SchemaRegistry(registry.url, registry.user, registry.password);
    return new RegisteredSchemas(client, selectors, RegisteredSchemas.PATIENCE, System::nanoTime);
  }

  /** Returns the folder, or the URL and the user, for logs and users, without the password. */
  @Override
  public String toString() {
    if (!folder.isEmpty()) return files.size() + " in " + folder;
    return registry.toString();
  }

  /** Source of the schemas in a folder. All schemas were read when the application started. */
  static final class SchemaFiles implements Schemas {
    private final Map<SchemaId, ValueReader> byId = new HashMap<>();
    private final Map<Long, RecordReader> byFingerprint = new HashMap<>();
    private final Map<SchemaId, String> unfit = new HashMap<>();

    SchemaFiles(Map<Long, SchemaDefinition> definitions, EventSelectors selectors) {
      definitions.forEach((id, each) -> read(SchemaId.of(id), each, selectors));
    }

    private void read(SchemaId id, SchemaDefinition definition, EventSelectors selectors) {
      try {
        ValueReader reader = definition.reader(selectors);
        byId.put(id, reader);
        if (reader instanceof AvroEvents.Reader avro) {
          byFingerprint.put(avro.records().fingerprint(), avro.records());
        }
      } catch (IllegalArgumentException e) {
        unfit.put(id, e.getMessage()); // a schema of the events of another topic
      }
    }

    @Override
    public ValueReader byId(SchemaId id) throws UnreadableEventException {
      ValueReader reader = byId.get(id);
      if (reader != null) return reader;
      if (unfit.containsKey(id)) {
        throw new UnreadableEventException("schema " + id + " cannot be used: " + unfit.get(id));
      }
      throw new UnreadableEventException(
          "schema "
              + id
              + " is unknown: "
              + Keys.SCHEMAS_FOLDER
              + " has no "
              + id
              + ".avsc, .proto or .json");
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
    public boolean isGiven() {
      return false;
    }

    @Override
    public ValueReader byId(SchemaId id) throws UnreadableEventException {
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
