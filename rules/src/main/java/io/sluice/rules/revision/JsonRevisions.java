package io.sluice.rules.revision;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.settings.LimitTexts;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Parser and writer of revisions in JSON. Refuses unknown fields, since their effect is unknown.
 */
final class JsonRevisions {
  private static final List<String> FIELDS =
      List.of("id", "limit", "for", "effectiveAt", "until", "set", "by", "note");
  private static final JsonFactory JSON = new JsonFactory();

  void read(byte[] value, Draft draft) throws UnreadableRevisionException {
    try (JsonParser parser = JSON.createParser(value)) {
      parser.nextToken();
      Set<String> seen = new HashSet<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (!seen.add(name)) throw Draft.twice(Draft.shown(name));
        parser.nextToken();
        take(name, parser, draft);
      }
      if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
        throw new UnreadableRevisionException("bad JSON: more than one object");
      }
    } catch (JsonProcessingException e) {
      throw new UnreadableRevisionException("bad JSON: " + Draft.shown(e.getOriginalMessage()));
    } catch (IOException e) {
      throw new UnreadableRevisionException("bad JSON: " + Draft.shown("" + e.getMessage()));
    }
  }

  private static void take(String name, JsonParser parser, Draft draft)
      throws IOException, UnreadableRevisionException {
    boolean isNull = parser.currentToken() == JsonToken.VALUE_NULL;
    if (!FIELDS.contains(name)) throw unknown(name);
    if (isNull) return;
    switch (name) {
      case "id" -> draft.id(text(name, parser));
      case "limit" -> draft.limit(text(name, parser));
      case "for" -> readFor(parser, draft);
      case "effectiveAt" -> draft.effectiveAt(time(name, parser));
      case "until" -> draft.until(time(name, parser));
      case "set" -> readSet(parser, draft);
      case "by" -> draft.by(text(name, parser));
      default -> draft.note(text(name, parser));
    }
  }

  private static UnreadableRevisionException unknown(String name) {
    String begin = Draft.shown(name);
    return new UnreadableRevisionException(
        begin + ": unknown; did you mean " + LimitTexts.nearest(begin, FIELDS) + "?");
  }

  private static void readFor(JsonParser parser, Draft draft)
      throws IOException, UnreadableRevisionException {
    requireObject("for", parser);
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      draft.value(name, text("for." + name, parser));
    }
  }

  private static void readSet(JsonParser parser, Draft draft)
      throws IOException, UnreadableRevisionException {
    requireObject("set", parser);
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (token == JsonToken.VALUE_NULL) draft.back(name);
      else if (token.isScalarValue()) draft.set(name, parser.getText());
      else throw Draft.wrong("set." + Draft.shown(name), token.asString(), "a text, or null");
    }
  }

  private static void requireObject(String name, JsonParser parser)
      throws IOException, UnreadableRevisionException {
    if (parser.currentToken() == JsonToken.START_OBJECT) return;
    throw Draft.wrong(name, parser.getText(), "an object, such as {\"userId\":\"shop-7\"}");
  }

  /** Returns the text of a JSON value; a whole number is accepted as a text, as in events. */
  private static String text(String name, JsonParser parser)
      throws IOException, UnreadableRevisionException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
      return parser.getText();
    }
    throw Draft.wrong(Draft.shown(name), parser.getText(), "a text");
  }

  private static long time(String name, JsonParser parser)
      throws IOException, UnreadableRevisionException {
    String given = text(name, parser);
    if (parser.currentToken() == JsonToken.VALUE_STRING) return Draft.time(name, given);
    try {
      return parser.getLongValue();
    } catch (IOException e) {
      throw Draft.wrong(name, given, "epoch milliseconds in the years 1970 to 2200");
    }
  }

  static String write(LimitRevision revision) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("id", revision.id());
      json.writeStringField("limit", revision.limit());
      if (!revision.scope().isWhole()) writeFor(revision.scope(), json);
      json.writeNumberField("effectiveAt", revision.effectiveAtMs());
      if (revision.untilMs() != LimitRevision.FOR_GOOD) {
        json.writeNumberField("until", revision.untilMs());
      }
      writeSet(revision.set(), json);
      if (!revision.by().isEmpty()) json.writeStringField("by", revision.by());
      if (!revision.note().isEmpty()) json.writeStringField("note", revision.note());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is written but memory", e);
    }
    return text.toString();
  }

  private static void writeFor(Scope scope, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("for");
    for (int i = 0; i < scope.values().size(); i++) {
      json.writeStringField(scope.fields().fields().get(i).toString(), scope.values().get(i));
    }
    json.writeEndObject();
  }

  /** Writes the settings of a revision in the alphabetical order of their names. */
  private static void writeSet(Settings set, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("set");
    for (String name : set.names()) {
      if (set.back().contains(name)) json.writeNullField(name);
      else json.writeStringField(name, set.texts().get(name));
    }
    json.writeEndObject();
  }
}
