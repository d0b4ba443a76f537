package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Described;

/** The identity of an event: two records that have it are the same event, wherever they came in. */
record Identity(String user, String action, String id) {
  static Identity of(Described event) {
    // Without an id of its own, an event is known by the record it came in.
    String id = event.id().isEmpty() ? "number " + event.number() : "id " + event.id();
    return new Identity(event.user(), event.action(), id);
  }
}
