package io.sluice.topology.ask;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.OptionalLong;

/** JSON texts, with every character from outside escaped. */
final class JsonObject {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonObject() {}

  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  static String of(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is written but memory", e);
    }
    return text.append('\n').toString();
  }

  static void number(JsonGenerator json, String name, OptionalLong value) throws IOException {
    if (value.isPresent()) json.writeNumberField(name, value.getAsLong());
    else json.writeNullField(name);
  }
}
