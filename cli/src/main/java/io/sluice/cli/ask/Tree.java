package io.sluice.cli.ask;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parsed JSON object. Accessors return an empty value for a field that is missing, null or of
 * another type.
 */
record Tree(Map<String, Object> fields, String source) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Parses a JSON object.
   *
   * @throws IOException if the text is not a JSON object
   */
  static Tree of(String text) throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      if (value(parser) instanceof Tree tree) return new Tree(tree.fields, text);
      throw new IOException("not a JSON object");
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) return object(parser);
    if (token == JsonToken.START_ARRAY) return array(parser);
    if (token == JsonToken.VALUE_NULL) return Optional.empty();
    if (token == null) throw new IOException("JSON ends too early");
    return parser.getText();
  }

  private static Tree object(JsonParser parser) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, value(parser));
    }
    return new Tree(fields, "");
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) values.add(value(parser));
    return values;
  }

  String text(String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  Tree object(String name) {
    return fields.get(name) instanceof Tree tree ? tree : new Tree(Map.of(), "");
  }

  List<Tree> list(String name) {
    List<Tree> trees = new ArrayList<>();
    if (fields.get(name) instanceof List<?> all) {
      for (Object each : all) if (each instanceof Tree tree) trees.add(tree);
    }
    return trees;
  }

  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    if (fields.get(name) instanceof List<?> all) {
      for (Object each : all) if (each instanceof String text) texts.add(text);
    }
    return texts;
  }
}
