package io.sluice.topology.event;

import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.RecordReader;
import java.util.Map;

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
}
