package io.sluice.server.change;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.live.change.RequestedChanges;
import io.sluice.live.change.RevisionFormatter;
import io.sluice.server.web.Route.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Parser of a request body, a JSON object with known fields. A number may stand for a text, as in
 * events; null is the same as a missing field. Mistakes are collected, and a field with a mistake
 * has its default. Memory and time are proportional to the text. Not thread-safe.
 */
final class RequestBody {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int MOST_MISTAKES = 20;

  private final Map<String, Object> values = new TreeMap<>();
  private final Set<String> seen = new HashSet<>();
  private final List<String> mistakes = new ArrayList<>();

  /** Whether the body was parsed to its end, without a syntax error. */
  private boolean whole;

  /** Type that a field of a request body must have. */
  enum Kind {
    TEXT("a text"),
    FLAG("true or false"),
    NUMBER("a whole number"),
    TEXTS("a list of texts"),
    PAIRS("an object of texts");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private RequestBody() {}

  /**
   * Parses the body of a request that must have no query parameters.
   *
   * @param accepted the permitted fields with their types
   */
  static RequestBody of(Request request, Map<String, Kind> accepted) {
    RequestBody body = new RequestBody();
    if (!request.parameters().isEmpty())
      body.wrong("parameters are not accepted: send all fields in the body");
    try (JsonParser parser = JSON.createParser(request.body())) {
      body.read(parser, new TreeMap<>(accepted));
    } catch (JsonProcessingException e) {
      body.wrong("bad JSON: " + RevisionFormatter.plain(e.getOriginalMessage()));
    } catch (IOException e) {
      body.wrong("bad JSON: " + RevisionFormatter.plain("" + e.getMessage()));
    }
    return body;
  }

  private void read(JsonParser parser, Map<String, Kind> accepted) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      wrong("the body must be a JSON object");
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (!seen.add(name)) {
        wrong(RevisionFormatter.plain(name) + ": is there twice");
      } else if (!accepted.containsKey(name)) {
        String all = accepted.isEmpty() ? "no fields" : String.join(", ", accepted.keySet());
        wrong(RevisionFormatter.plain(name) + ": unknown; accepted are " + all);
      } else if (token != JsonToken.VALUE_NULL) {
        take(name, accepted.get(name), parser);
      }
      parser.skipChildren();
    }
    whole = parser.nextToken() == null;
    if (!whole) wrong("bad JSON: more than one object");
  }

  private void take(String name, Kind kind, JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    Object value =
        switch (kind) {
          case TEXT -> isText(token) ? parser.getText() : null;
          case FLAG -> token.isBoolean() ? parser.getBooleanValue() : null;
          case NUMBER -> token == JsonToken.VALUE_NUMBER_INT ? number(parser.getText()) : null;
          case TEXTS -> token == JsonToken.START_ARRAY ? list(name, parser) : null;
          case PAIRS -> token == JsonToken.START_OBJECT ? pairs(name, parser) : null;
        };
    if (value == null) wrong(name + ": must be " + kind.words);
    else values.put(name, value);
  }

  private static boolean isText(JsonToken token) {
    return token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT;
  }

  /** Parses a whole number; a number beyond the range of an int becomes the nearest int. */
  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return text.startsWith("-") ? Integer.MIN_VALUE : Integer.MAX_VALUE;
    }
  }

  private List<String> list(String name, JsonParser parser) throws IOException {
    List<String> all = new ArrayList<>();
    for (JsonToken each = parser.nextToken(); each != JsonToken.END_ARRAY; ) {
      if (isText(each)) all.add(parser.getText());
      else wrong(name + ": must be " + Kind.TEXTS.words);
      parser.skipChildren();
      each = parser.nextToken();
    }
    return all;
  }

  /**
   * Returns an object's fields as {@code name=value}. The name of a field must not contain =, since
   * the first = ends the name.
   */
  private List<String> pairs(String name, JsonParser parser) throws IOException {
    List<String> all = new ArrayList<>();
    Set<String> inside = new HashSet<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String own = parser.currentName();
      String path = name + "." + RevisionFormatter.plain(own);
      JsonToken token = parser.nextToken();
      boolean scalar = isText(token) || token.isBoolean();
      if (!inside.add(own)) wrong(path + ": is there twice");
      else if (own.isEmpty() || own.indexOf('=') >= 0)
        wrong(path + ": the name must not be empty, and must not contain =");
      else if (!scalar) wrong(path + ": must be a text");
      else all.add(own + "=" + parser.getText());
      parser.skipChildren();
    }
    return all;
  }

  private void wrong(String mistake) {
    if (mistakes.size() < MOST_MISTAKES && !mistakes.contains(mistake)) mistakes.add(mistake);
  }

  /** Mistakes found in the body so far, at most 20. */
  List<String> mistakes() {
    return List.copyOf(mistakes);
  }

  /**
   * Adds a mistake if a field of the body is missing or empty.
   *
   * @param such example of a value, for the message
   */
  RequestBody require(String name, String such) {
    boolean has = values.containsKey(name) && !values.get(name).equals(List.of());
    boolean isToldAlready = !whole || (seen.contains(name) && !mistakes.isEmpty());
    if (!has && !isToldAlready) wrong(name + ": is missing; such as " + such);
    return this;
  }

  /**
   * Returns the fields that all changes share. The author is only taken from the body, since the
   * user of this process is not the client.
   */
  RequestedChanges.Asked asked() {
    return new RequestedChanges.Asked(
        list("for"),
        text("at", RequestedChanges.SOON),
        text("until", ""),
        text("by", ""),
        text("note", ""),
        flag("dryRun"));
  }

  String text(String name, String otherwise) {
    return values.get(name) instanceof String text ? text : otherwise;
  }

  boolean flag(String name) {
    return values.get(name) instanceof Boolean flag && flag;
  }

  int number(String name, int otherwise) {
    return values.get(name) instanceof Integer number ? number : otherwise;
  }

  /** Texts of a list field, or the fields of an object field as {@code name=value}. */
  List<String> list(String name) {
    return values.get(name) instanceof List<?> list
        ? list.stream().map(String.class::cast).toList()
        : List.of();
  }
}
