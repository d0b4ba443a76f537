package io.sluice.server.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Builder of JSON texts. */
final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  static String object(Route.Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write JSON to memory", e);
    }
    return text.append('\n').toString();
  }

  static String problem(String line) {
    return object(json -> json.writeStringField("error", line));
  }
}
