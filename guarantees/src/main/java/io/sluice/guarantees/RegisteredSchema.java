package io.sluice.guarantees;

import io.sluice.schemas.UserAction;

/** The one schema that the registry knows: that of the events. */
final class RegisteredSchema {
  static final int ID = 7;

  private RegisteredSchema() {}

  /** In JSON, as Avro writes it. */
  static String text() {
    return UserAction.getClassSchema().toString();
  }
}
