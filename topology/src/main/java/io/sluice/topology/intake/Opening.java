package io.sluice.topology.intake;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException.FaultKind;

/** Result of decoding a record's value: not decoded yet, an event, or faulty. */
sealed interface Opening {
  /** Result for a record that is not decoded yet and has no known origin. */
  Opening NOT_YET = new NotYet(Origin.UNKNOWN);

  /** Returns the coordinates of the record that the event first came in. */
  Origin origin();

  /**
   * Returns the timestamp with which the record leaves the topology, epoch milliseconds: that of
   * the event's first record, if it is valid.
   */
  long timestampMs();

  /** The record's value has not been decoded yet. */
  record NotYet(Origin origin) implements Opening {
    @Override
    public long timestampMs() {
      return 0;
    }
  }

  /** The record's value has been decoded to a valid event, which can be metered. */
  record Read(Event event, Origin origin, long timestampMs) implements Opening {}

  /** The record cannot be metered and becomes a dead letter, with the fault as its reason. */
  record Faulty(FaultKind kind, String fault, Origin origin, long timestampMs) implements Opening {}
}
