package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Described;

/**
 * Identity of an event by user, action and id: records with the same identity are the same event.
 */
record Identity(String user, String action, String id) {
  static Identity of(Described event) {
    // Without an id, each record is a separate event, identified by its unique number.
    String id = event.id().isEmpty() ? "number " + event.number() : "id " + event.id();
    return new Identity(event.user(), event.action(), id);
  }
}
