package io.sluice.topology.web;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** The JSON of a problem. */
final class JsonText {
  private JsonText() {}

  static String problem(String line) {
    StringBuilder text = new StringBuilder("{\"error\":\"");
    JsonStringEncoder.getInstance().quoteAsString(line, text);
    return text.append("\"}\n").toString();
  }
}
