package io.sluice.topology.event;

import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.RecordReader;
import java.util.Map;

/**
 * Configured source of the schemas that events name by an id: a folder, a registry, or none.
 *
 * @param files schemas of the folder, by id
 * @param folder empty if there is none
 * @param url URL of the registry; empty if there is none
 * @param user login at the registry; empty if it needs none
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

  /** Opens the source. */
  public Schemas open(FieldPaths paths) {
    if (!folder.isEmpty()) return new SchemaFiles(files);
    if (url.isEmpty()) return new NoSchemas();
    SchemaRegistry registry = new SchemaRegistry(url, user, password);
    return new RegisteredSchemas(registry, paths, RegisteredSchemas.PATIENCE, System::nanoTime);
  }

  /** Returns a description for logs and users, without the password. */
  @Override
  public String toString() {
    if (!folder.isEmpty()) return files.size() + " in " + folder;
    return url + (user.isEmpty() ? "" : ", as " + user);
  }
}
