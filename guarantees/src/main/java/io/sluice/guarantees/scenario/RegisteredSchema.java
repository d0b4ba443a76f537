package io.sluice.guarantees.scenario;

import io.sluice.schemas.UserAction;

/** The one schema that the registry knows: that of the events. */
public final class RegisteredSchema {
  public static final int ID = 7;

  private RegisteredSchema() {}

  /** In JSON, as Avro writes it. */
  public static String text() {
    return UserAction.getClassSchema().toString();
  }
}
