package io.sluice.topology.event;

import io.sluice.rules.event.Origin;

/**
 * Values from an event's record that replace the fields that the event lacks.
 *
 * @param origin coordinates of the record, for a missing id
 * @param timestampMs timestamp of the record, for a missing time
 * @param topic input topic
 * @param action for a missing action; empty if events must have one
 */
record StandIns(Origin origin, long timestampMs, String topic, String action) {
  String idOr(String given) {
    return given.isEmpty() ? origin.toString() : given;
  }

  String actionOr(String given) {
    return given.isEmpty() ? action : given;
  }
}
