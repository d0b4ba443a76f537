package io.sluice.server.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.OptionalLong;

/** Writer of optional JSON values. */
final class JsonObject {
  private JsonObject() {}

  static void number(JsonGenerator json, String name, OptionalLong value) throws IOException {
    if (value.isPresent()) json.writeNumberField(name, value.getAsLong());
    else json.writeNullField(name);
  }
}
