package io.sluice.events;

import io.sluice.events.SelectedEvent.Attributes;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.Values;

/** Reader of the values of one schema, at the paths of selectors. Immutable. */
interface ValueReader {
  /** Returns the name of the format for messages. */
  String format();

  /**
   * Reads the body of a value.
   *
   * @throws UndecodableException if the bytes are not a value of the schema
   * @throws UnreadableEventException if the value is not an event
   */
  Read read(FramedValue value) throws UnreadableEventException;

  /** Values at the paths of selectors, and the attributes without a selector. */
  record Read(Values values, Attributes attributes) {}
}
