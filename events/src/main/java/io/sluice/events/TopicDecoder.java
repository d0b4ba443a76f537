package io.sluice.events;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.events.SelectedEvent.Attributes;
import io.sluice.events.SelectedEvent.InputTopic;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.Values;
import java.io.IOException;
import java.util.Arrays;

/**
 * Decoder of the events of one input topic, by its selectors. The first byte of a value tells the
 * format: JSON, Avro's single-object encoding, or Confluent's format. Safe for many threads.
 */
final class TopicDecoder {
  private static final int AVRO = 0xC3;
  private static final int JSON = '{';

  /** Byte order mark in UTF-8, which may precede JSON. */
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private static final int CONFLUENT = 0x00;
  private static final JsonFactory JSON_FACTORY = new JsonFactory();

  private final EventSelectors selectors;
  private final AvroEvents avro;

  TopicDecoder(EventSelectors selectors, Schemas schemas) {
    this.selectors = selectors;
    avro = new AvroEvents(schemas, selectors);
  }

  /**
   * Returns an input topic of this decoder.
   *
   * @param name name of the topic; empty if it is unknown
   */
  InputTopic input(String name) {
    return new InputTopic(name, selectors.has(Role.ACTION) ? "" : name);
  }

  EventSelectors selectors() {
    return selectors;
  }

  void stopWaiting() {
    avro.stopWaiting();
  }

  /**
   * Decodes the event in a part of a record.
   *
   * @param value bytes of the event
   */
  Event read(RawRecord record, byte[] value, InputTopic input) throws UnreadableEventException {
    int begin = jsonBegin(value);
    int format = value[begin] & 0xff;
    return switch (format) {
      case AVRO -> avro.singleObject(record, value, input);
      case JSON -> json(record, value, begin, input);
      case CONFLUENT -> avro.confluent(record, value, input);
      default -> opaque(record, input, format);
    };
  }

  /**
   * Returns the event of a record whose value is of no known format, which is possible if the user
   * and the action are not in the value.
   */
  private Event opaque(RawRecord record, InputTopic input, int format)
      throws UnreadableEventException {
    if (selectors.readsOutsideOnly()) {
      Values none = selectors.tree().values();
      return new SelectedEvent(selectors, record, input, none, Attributes.NONE);
    }
    throw new UnreadableEventException(
        FaultKind.UNKNOWN_FORMAT,
        String.format("unknown format: the first byte is %02X, not C3 (Avro) or { (JSON)", format));
  }

  /**
   * Decodes a JSON object.
   *
   * @param begin index of the first byte of JSON in the value
   */
  private Event json(RawRecord record, byte[] value, int begin, InputTopic topic)
      throws UnreadableEventException {
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
    return new SelectedEvent(
        selectors, record, topic, values, attributes == null ? Attributes.NONE : attributes);
  }

  /**
   * Returns the index of the opening brace of a JSON object, after white space and byte order
   * marks; 0 if the value is not JSON.
   */
  private static int jsonBegin(byte[] value) {
    int at = 0;
    while (at < value.length && value[at] != JSON) {
      if (isBlank(value[at])) at++;
      else if (Arrays.mismatch(value, at, Math.min(at + 3, value.length), MARK, 0, 3) < 0) at += 3;
      else return 0;
    }
    return at < value.length ? at : 0;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }
}
