package io.sluice.events;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.PathNode;
import io.sluice.schemas.Values;
import java.io.IOException;
import java.util.BitSet;

/**
 * Reader of the wanted values of one JSON document, and of its attributes. It descends only along
 * the paths, so its depth is that of the longest path, and skips all other values.
 */
final class JsonReader {
  private static final int WORD = Long.SIZE;

  /** Number of characters of a whole number that is surely in the range of {@code long}. */
  private static final int SURELY_LONG = 18;

  private final JsonParser parser;
  private final Values values;
  private final JsonAttributes attributes;

  /**
   * @param attributes receives the attributes; null if the paths have none
   */
  JsonReader(JsonParser parser, Values values, JsonAttributes attributes) {
    this.parser = parser;
    this.values = values;
    this.attributes = attributes;
  }

  /**
   * Reads the value at the parser's position up to its end.
   *
   * @throws UnreadableEventException if a wanted field occurs twice in an object
   */
  void read(PathNode at) throws IOException, UnreadableEventException {
    read(at, parser.currentToken());
  }

  private void read(PathNode at, JsonToken token) throws IOException, UnreadableEventException {
    if (token == JsonToken.VALUE_NULL) return;
    if (token == JsonToken.START_OBJECT) readObject(at);
    else if (token == JsonToken.START_ARRAY) readList(at);
    else if (at.isLeaf()) values.put(at, scalar(token));
    if (at.isAttributes() && token != JsonToken.START_OBJECT) {
      throw new UnreadableEventException(FaultKind.INVALID_FIELD, at.path() + " must be an object");
    }
  }

  private void readObject(PathNode at) throws IOException, UnreadableEventException {
    if (!at.isWanted()) {
      parser.skipChildren();
      return;
    }
    long met = 0; // the wanted fields that were met, of the first 64
    BitSet metBeyond = null;
    int size = 0;
    for (String name; (name = parser.nextFieldName()) != null; size++) {
      JsonToken value = parser.nextToken();
      PathNode child = at.child(name);
      if (at.isAttributes()) attributes.take(name, value, parser);
      if (!child.isWanted()) {
        parser.skipChildren();
        continue;
      }
      int ordinal = child.ordinal();
      if (ordinal < WORD) {
        if ((met >>> ordinal & 1) != 0) throw twice(child);
        met |= 1L << ordinal;
      } else {
        if (metBeyond == null) metBeyond = new BitSet();
        if (metBeyond.get(ordinal)) throw twice(child);
        metBeyond.set(ordinal);
      }
      read(child, value);
    }
    if (at.isLeaf()) values.put(at, new Values.Structure(false, size));
  }

  private static UnreadableEventException twice(PathNode field) {
    return new UnreadableEventException(
        FaultKind.DUPLICATE_FIELD, field.path() + " occurs twice in one object");
  }

  private void readList(PathNode at) throws IOException, UnreadableEventException {
    if (!at.isLeaf() && !at.hasElements()) {
      parser.skipChildren();
      return;
    }
    values.openList(at);
    int size = 0;
    for (; parser.nextToken() != JsonToken.END_ARRAY; size++) read(at.element(size));
    if (at.isLeaf()) values.put(at, new Values.Structure(true, size));
  }

  private Object scalar(JsonToken token) throws IOException {
    return switch (token) {
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
      case VALUE_NUMBER_INT ->
          parser.getTextLength() > SURELY_LONG
                  && parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? Values.number(parser.getText())
              : (Object) parser.getLongValue();
      default -> Values.number(parser.getText());
    };
  }

  /** Returns the reason of a failed parse, in one line, without a place. */
  static String why(IOException failure) {
    String message =
        failure instanceof JsonProcessingException json
            ? json.getOriginalMessage()
            : failure.getMessage();
    return String.valueOf(message).replaceAll("\\s+", " ");
  }

  /**
   * Returns whether a value is a number with so many digits that its exponent stays, so that other
   * texts may be the same number.
   */
  static boolean isUnreadable(JsonToken token, String text) {
    return token == JsonToken.VALUE_NUMBER_FLOAT
        && (text.indexOf('e') >= 0 || text.indexOf('E') >= 0);
  }

  /** Returns the text of the scalar value at the parser's position. */
  static String text(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
        ? Values.number(parser.getText()).toString()
        : parser.getText();
  }
}
