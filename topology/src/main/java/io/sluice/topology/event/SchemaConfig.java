package io.sluice.topology.event;

import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.RecordReader;
import java.util.Map;

/**
 * The source of schemas that events name by an id: a folder, a registry, or none.
 *
 * @param files those in the folder, by id
 * @param folder empty if there is none
 * @param url the registry's, empty if there is none
 * @param user empty if it asks for none
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

  /** Somebody who knows the schemas. */
  public Schemas open(FieldPaths paths) {
    if (!folder.isEmpty()) return new SchemaFiles(files);
    if (url.isEmpty()) return new NoSchemas();
    SchemaRegistry registry = new SchemaRegistry(url, user, password);
    return new RegisteredSchemas(registry, paths, RegisteredSchemas.PATIENCE, System::nanoTime);
  }

  /** For logs and people: without the password. */
  @Override
  public String toString() {
    if (!folder.isEmpty()) return files.size() + " in " + folder;
    return url + (user.isEmpty() ? "" : ", as " + user);
  }
}
