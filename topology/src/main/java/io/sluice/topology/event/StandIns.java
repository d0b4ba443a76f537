package io.sluice.topology.event;

/**
 * What is known of an event by the record that it came in, and what stands in for a field that it
 * does not have.
 *
 * @param origin the record's coordinates, in place of an id
 * @param timestampMs the record's timestamp, in place of a time
 * @param topic the input topic
 * @param action in place of an action; empty if an event must have one
 */
record StandIns(Origin origin, long timestampMs, String topic, String action) {
  String idOr(String given) {
    return given.isEmpty() ? origin.toString() : given;
  }

  String actionOr(String given) {
    return given.isEmpty() ? action : given;
  }
}
