package io.sluice.server.ask;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * JSON parser for the responses of other instances, which may be newer: callers skip unknown
 * fields.
 */
final class JsonReading {
  private static final JsonFactory JSON = new JsonFactory();
  private static final long MOST = 1L << 50;

  private final JsonParser json;

  private JsonReading(JsonParser json) {
    this.json = json;
  }

  /** Reads the value of one field of a JSON object. */
  interface FieldReader {
    void read(String name) throws IOException;
  }

  /** Reads one element of a JSON array. */
  interface ElementReader {
    void read() throws IOException;
  }

  /** Reads a whole JSON document. */
  interface TextReader<T> {
    T read(JsonReading json) throws IOException;
  }

  /**
   * Parses a JSON document.
   *
   * @throws IllegalArgumentException if it is not valid; the message says so in one line
   */
  static <T> T read(byte[] text, TextReader<T> reader) {
    try (JsonParser json = JSON.createParser(text)) {
      json.nextToken();
      T said = reader.read(new JsonReading(json));
      if (json.nextToken() != null) throw new IllegalArgumentException("more than one value");
      return said;
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException("it does not answer as Sluice does", e);
    }
  }

  void object(FieldReader reader) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) throw new IllegalArgumentException("object");
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      reader.read(name);
    }
  }

  void array(ElementReader reader) throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) throw new IllegalArgumentException("array");
    while (json.nextToken() != JsonToken.END_ARRAY) reader.read();
  }

  void skip() throws IOException {
    json.skipChildren();
  }

  boolean flag() throws IOException {
    return json.getBooleanValue();
  }

  String text() throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) throw new IllegalArgumentException("text");
    return json.getText();
  }

  /** Returns a number from 0 to 2^50, so that sums of numbers cannot overflow. */
  long number() throws IOException {
    boolean whole = json.currentToken() == JsonToken.VALUE_NUMBER_INT;
    if (!whole) throw new IllegalArgumentException("number");
    return bounded(json.getLongValue());
  }

  /** Checks that a sum of numbers from one response is from 0 to 2^50. */
  static long bounded(long number) {
    if (number < 0 || number > MOST) throw new IllegalArgumentException("number");
    return number;
  }
}
