package io.sluice.events;

import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.Values;
import java.util.Map;

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

  /** Attributes of an event that have no selector. */
  interface Attributes {
    Attributes NONE = name -> "";

    /** Returns the attribute with this name; empty if there is none. */
    String of(String name);

    /** Returns the faults of attributes by which nothing can be counted. */
    default Map<String, FaultKind> faults() {
      return Map.of();
    }
  }

  /** Values at the paths of selectors, and the attributes without a selector. */
  record Read(Values values, Attributes attributes) {}
}
