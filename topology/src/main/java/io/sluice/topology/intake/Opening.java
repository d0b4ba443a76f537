package io.sluice.topology.intake;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException.FaultKind;

/** State of a record: not decoded yet, an event, or faulty. */
sealed interface Opening {
  /** Record of which only the bytes are known. */
  Opening NOT_YET = new NotYet(Origin.UNKNOWN);

  /** Record that the event first came in. */
  Origin origin();

  /** Timestamp that the record leaves with: that of its first record, if that one is valid. */
  long timestampMs();

  /** Nothing has been decoded yet. */
  record NotYet(Origin origin) implements Opening {
    @Override
    public long timestampMs() {
      return 0;
    }
  }

  /** The record is an event, which can be metered. */
  record Read(Event event, Origin origin, long timestampMs) implements Opening {}

  /** The record is not an event, and can only become a dead letter. */
  record Faulty(FaultKind kind, String fault, Origin origin, long timestampMs) implements Opening {}
}
