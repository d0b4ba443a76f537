package io.sluice.events;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Definition of a schema, as a registry or a file gives it. Immutable.
 *
 * @param imports definitions that the text refers to, each after those that it refers to itself
 */
public record SchemaDefinition(Type type, String text, List<Import> imports) {
  private static final JsonFactory JSON = new JsonFactory();

  public SchemaDefinition {
    imports = List.copyOf(imports);
  }

  /** Language of schemas, which is also the format of the values. */
  public enum Type {
    AVRO("avsc"),
    JSON("json"),
    PROTOBUF("proto");

    private final String suffix;

    Type(String suffix) {
      this.suffix = suffix;
    }

    /** Returns how the names of files with such schemas end, behind the dot. */
    public String suffix() {
      return suffix;
    }
  }

  /**
   * Definition that another one refers to.
   *
   * @param name name by which the other one refers to it, such as the path of a Protobuf file
   */
  public record Import(String name, String text) {}

  /** Returns the definition of a schema that refers to no other. */
  public static SchemaDefinition of(Type type, String text) {
    return new SchemaDefinition(type, text, List.of());
  }

  /** Returns the texts of all definitions, the last of which is that of the schema. */
  List<String> texts() {
    Set<String> all = new LinkedHashSet<>();
    imports.forEach(each -> all.add(each.text));
    return Stream.concat(all.stream(), Stream.of(text)).toList();
  }

  /**
   * Returns the reader of the schema's values.
   *
   * @throws IllegalArgumentException if the text is not a schema, or if its values cannot be events
   */
  ValueReader reader(EventSelectors selectors) {
    return switch (type) {
      case AVRO -> new AvroEvents.Reader(selectors.reader(texts()));
      case PROTOBUF -> ProtobufSchema.parse(this, selectors);
      case JSON -> {
        requireJson(text);
        yield new JsonEvents(selectors);
      }
    };
  }

  /** Checks that the text is JSON. Its meaning as a schema is not needed to read the values. */
  private static void requireJson(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      JsonToken first = parser.nextToken();
      boolean isSchema = first == JsonToken.START_OBJECT || (first != null && first.isBoolean());
      parser.skipChildren();
      if (isSchema && parser.nextToken() == null) return;
    } catch (IOException e) {
      throw new IllegalArgumentException("not a JSON schema: " + JsonReader.why(e), e);
    }
    throw new IllegalArgumentException("not a JSON schema: an object is needed");
  }
}
