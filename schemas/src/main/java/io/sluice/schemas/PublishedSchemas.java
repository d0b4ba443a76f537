package io.sluice.schemas;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Loader of the published schemas of a record, which are all schemas with which such a record was
 * ever written: {@code published/UserAction.v1.avsc} and later versions.
 */
final class PublishedSchemas {
  private PublishedSchemas() {}

  /**
   * Returns the published schemas of a record, the oldest first. Their version numbers have no
   * gaps.
   */
  static List<Schema> load(String record) {
    List<Schema> schemas = new ArrayList<>();
    try {
      for (InputStream file = open(record, 1);
          file != null;
          file = open(record, schemas.size() + 1)) {
        try (InputStream json = file) {
          schemas.add(new Schema.Parser().parse(json));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("published " + record + " " + (schemas.size() + 1), e);
    }
    return List.copyOf(schemas);
  }

  private static InputStream open(String record, int version) {
    return PublishedSchemas.class.getResourceAsStream(
        "published/" + record + ".v" + version + ".avsc");
  }
}
