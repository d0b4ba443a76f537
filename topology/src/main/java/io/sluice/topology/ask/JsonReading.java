package io.sluice.topology.ask;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** The reading of what instances answer, perhaps newer ones: what is not known is skipped. */
final class JsonReading {
  private static final JsonFactory JSON = new JsonFactory();
  private static final long MOST = 1L << 50;

  private final JsonParser json;

  private JsonReading(JsonParser json) {
    this.json = json;
  }

  /** Reads a field of the object that is read. */
  interface FieldReader {
    void read(String name) throws IOException;
  }

  /** Reads an element of the array that is read. */
  interface ElementReader {
    void read() throws IOException;
  }

  /** Reads a whole text. */
  interface TextReader<T> {
    T read(JsonReading json) throws IOException;
  }

  /**
   * What a text says.
   *
   * @throws IllegalArgumentException if it is nothing of the kind, saying why in one line
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

  /** Counts add up, so none may be so large that a sum could overflow. */
  long number() throws IOException {
    boolean whole = json.currentToken() == JsonToken.VALUE_NUMBER_INT;
    if (!whole) throw new IllegalArgumentException("number");
    return bounded(json.getLongValue());
  }

  /** The same of what is added up within an answer. */
  static long bounded(long number) {
    if (number < 0 || number > MOST) throw new IllegalArgumentException("number");
    return number;
  }
}
