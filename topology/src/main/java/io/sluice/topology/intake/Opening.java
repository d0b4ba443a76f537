package io.sluice.topology.intake;

import io.sluice.topology.event.Event;
import io.sluice.topology.event.Origin;
import io.sluice.topology.event.UnreadableEventException.FaultKind;

/** The state of a record: not opened yet, an event, or something that cannot be one. */
sealed interface Opening {
  /** A record of which nothing is known but its bytes. */
  Opening NOT_YET = new NotYet(Origin.UNKNOWN);

  /** The record that it came in first. */
  Origin origin();

  /** The timestamp it leaves with: of the record it came in first, if that is one at all. */
  long timestampMs();

  /** Nothing has been read yet. */
  record NotYet(Origin origin) implements Opening {
    @Override
    public long timestampMs() {
      return 0;
    }
  }

  /** It is an event, which can be metered. */
  record Read(Event event, Origin origin, long timestampMs) implements Opening {}

  /** It is none, and can only become a dead letter. */
  record Faulty(FaultKind kind, String fault, Origin origin, long timestampMs) implements Opening {}
}
