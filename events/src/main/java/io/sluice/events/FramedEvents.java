package io.sluice.events;

import io.sluice.events.SelectedEvent.InputTopic;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.UndecodableException;
import java.util.Optional;

/** Decoder of events whose values name their schema by an id. Safe for many threads. */
final class FramedEvents {
  private final Schemas schemas;
  private final EventSelectors selectors;
  private final int idBytes;

  /**
   * @param idBytes number of bytes of an id before the body: 4 or 8
   */
  FramedEvents(Schemas schemas, EventSelectors selectors, int idBytes) {
    this.schemas = schemas;
    this.selectors = selectors;
    this.idBytes = idBytes;
  }

  /**
   * Decodes an event in Confluent's format: a zero byte, the bytes of the schema id, and the body.
   */
  Event confluent(RawRecord record, byte[] value, InputTopic topic)
      throws UnreadableEventException {
    return event(FramedValue.ofPrefix(value, idBytes), record, topic);
  }

  /**
   * Decodes an event whose schema a header names. Without a source of schemas the header says
   * nothing, so that JSON can still be read.
   */
  Optional<Event> byHeader(RawRecord record, byte[] value, InputTopic topic)
      throws UnreadableEventException {
    if (!schemas.isGiven()) return Optional.empty();
    Optional<FramedValue> framed = FramedValue.ofHeaders(record.headers(), value);
    return framed.isEmpty() ? Optional.empty() : Optional.of(event(framed.get(), record, topic));
  }

  private Event event(FramedValue value, RawRecord record, InputTopic topic)
      throws UnreadableEventException {
    ValueReader reader = schemas.byId(value.id());
    try {
      ValueReader.Read read = reader.read(value);
      return new SelectedEvent(selectors, record, topic, read.values(), read.attributes());
    } catch (UndecodableException e) {
      throw new UnreadableEventException(
          "bad " + reader.format() + " of schema " + value.id() + ": " + e.getMessage());
    }
  }
}
