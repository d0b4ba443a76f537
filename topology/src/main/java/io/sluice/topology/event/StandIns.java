package io.sluice.topology.event;

import io.sluice.rules.event.Origin;

/**
 * Values from an event's Kafka record that replace fields that are missing in the event.
 *
 * @param origin coordinates of the record, which replace a missing event id
 * @param timestampMs timestamp of the record, which replaces a missing event time
 * @param topic input topic of the event
 * @param action replacement of a missing action; empty if events must have an action
 */
record StandIns(Origin origin, long timestampMs, String topic, String action) {
  String idOr(String given) {
    return given.isEmpty() ? origin.toString() : given;
  }

  String actionOr(String given) {
    return given.isEmpty() ? action : given;
  }
}
