package io.sluice.events;

import io.sluice.events.SelectedEvent.InputTopic;
import io.sluice.events.ValueReader.Attributes;
import io.sluice.events.ValueReader.Read;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.DuplicateNameException;
import io.sluice.schemas.UndecodableException;
import java.util.Optional;

/**
 * Decoder of the events of one input topic, by its selectors. A header with the id of a schema
 * tells the format, or else the first byte of the value: JSON, Avro's single-object encoding, or
 * Confluent's format. Safe for many threads.
 */
final class TopicDecoder {
  private static final int AVRO = 0xC3;
  private static final int JSON = '{';
  private static final int CONFLUENT = 0x00;

  private final EventSelectors selectors;
  private final Schemas schemas;
  private final AvroEvents avro;
  private final int idBytes;
  private final JsonEvents json;

  TopicDecoder(EventSelectors selectors, Schemas schemas) {
    this(selectors, schemas, SchemaConfig.NONE.idBytes());
  }

  /**
   * @param idBytes number of bytes of a schema id before the body: 4 or 8
   */
  TopicDecoder(EventSelectors selectors, Schemas schemas, int idBytes) {
    this.selectors = selectors;
    this.schemas = schemas;
    avro = new AvroEvents(schemas, selectors);
    this.idBytes = idBytes;
    json = new JsonEvents(selectors);
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
    schemas.stopWaiting();
  }

  /**
   * Decodes the event in a part of a record.
   *
   * @param value bytes of the event
   */
  Event read(RawRecord record, byte[] value, InputTopic input) throws UnreadableEventException {
    try {
      return readValue(record, value, input);
    } catch (UnreadableEventException e) {
      // If no field is in the value, it is of another format that begins like one of the known.
      if (e.kind() != FaultKind.UNDECODABLE || !selectors.readsOutsideOnly()) throw e;
      return opaque(record, input, value[0] & 0xff);
    }
  }

  private Event readValue(RawRecord record, byte[] value, InputTopic input)
      throws UnreadableEventException {
    Optional<FramedValue> byHeader = byHeader(record, value);
    if (byHeader.isPresent()) return framed(byHeader.get(), record, input);
    int begin = JsonEvents.begin(value, 0);
    int format = value[begin] & 0xff;
    return switch (format) {
      case AVRO -> avro.singleObject(record, value, input);
      case JSON -> new SelectedEvent(selectors, record, input, json.read(value, begin));
      case CONFLUENT -> framed(FramedValue.ofPrefix(value, idBytes), record, input);
      default -> opaque(record, input, format);
    };
  }

  /**
   * Returns the value with the schema that a header names. Without a source of schemas the header
   * says nothing, so that JSON can still be read.
   */
  private Optional<FramedValue> byHeader(RawRecord record, byte[] value)
      throws UnreadableEventException {
    return schemas.isGiven() ? FramedValue.ofHeaders(record.headers(), value) : Optional.empty();
  }

  /** Decodes an event whose value names its schema by an id. */
  private Event framed(FramedValue value, RawRecord record, InputTopic input)
      throws UnreadableEventException {
    ValueReader reader = schemas.byId(value.id());
    try {
      return new SelectedEvent(selectors, record, input, reader.read(value));
    } catch (DuplicateNameException e) {
      throw new UnreadableEventException(FaultKind.DUPLICATE_FIELD, e.getMessage());
    } catch (UndecodableException e) {
      throw new UnreadableEventException(
          "bad " + reader.format() + " of schema " + value.id() + ": " + e.getMessage());
    }
  }

  /**
   * Returns the event of a record whose value is of no known format, which is possible if the user
   * and the action are not in the value.
   */
  private Event opaque(RawRecord record, InputTopic input, int format)
      throws UnreadableEventException {
    if (selectors.readsOutsideOnly()) {
      Read none = new Read(selectors.tree().values(), Attributes.NONE);
      return new SelectedEvent(selectors, record, input, none);
    }
    throw new UnreadableEventException(
        FaultKind.UNKNOWN_FORMAT,
        String.format("unknown format: the first byte is %02X, not C3 (Avro) or { (JSON)", format));
  }
}
