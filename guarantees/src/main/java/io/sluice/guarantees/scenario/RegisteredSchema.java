package io.sluice.guarantees.scenario;

import io.sluice.schemas.UserAction;

/** The only schema in the suite's schema registry: the schema of events. */
public final class RegisteredSchema {
  public static final int ID = 7;

  private RegisteredSchema() {}

  /** Returns the schema as JSON. */
  public static String text() {
    return UserAction.getClassSchema().toString();
  }
}
