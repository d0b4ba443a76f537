package io.sluice.events;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.Values;
import java.io.IOException;
import java.util.Arrays;

/** Decoder of JSON events, with or without a schema: the schema does not change the reading. */
final class JsonEvents implements ValueReader {
  private static final int BRACE = '{';

  /** Byte order mark in UTF-8, which may precede JSON. */
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private static final JsonFactory JSON_FACTORY = new JsonFactory();

  private final EventSelectors selectors;

  JsonEvents(EventSelectors selectors) {
    this.selectors = selectors;
  }

  @Override
  public String format() {
    return "JSON";
  }

  @Override
  public Read read(FramedValue value) throws UnreadableEventException {
    byte[] bytes = value.bytes();
    int begin = begin(bytes, value.offset());
    if (begin >= bytes.length || bytes[begin] != BRACE) {
      throw new UndecodableException("not an object");
    }
    return read(bytes, begin);
  }

  /**
   * Reads a JSON object.
   *
   * @param begin index of the first byte of JSON in the value
   */
  Read read(byte[] value, int begin) throws UnreadableEventException {
    Values values = selectors.tree().values();
    JsonAttributes attributes = selectors.hasAttributes() ? new JsonAttributes() : null;
    try (JsonParser parser = JSON_FACTORY.createParser(value, begin, value.length - begin)) {
      parser.nextToken();
      new JsonReader(parser, values, attributes).read(selectors.tree().root());
      if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
        throw new UnreadableEventException("bad JSON: more than one object");
      }
    } catch (IOException e) {
      throw new UnreadableEventException("bad JSON: " + JsonReader.why(e));
    }
    return new Read(values, attributes == null ? Attributes.NONE : attributes);
  }

  /**
   * Returns the index of the opening brace of a JSON object, after white space and byte order
   * marks; where the value begins if it is not JSON.
   */
  static int begin(byte[] value, int from) {
    int at = from;
    while (at < value.length && value[at] != BRACE) {
      if (isBlank(value[at])) at++;
      else if (Arrays.mismatch(value, at, Math.min(at + 3, value.length), MARK, 0, 3) < 0) at += 3;
      else return from;
    }
    return at < value.length ? at : from;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }
}
