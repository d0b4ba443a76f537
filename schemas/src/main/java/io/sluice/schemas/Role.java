package io.sluice.schemas;

import java.util.Locale;

/** Role of a record's field in metering, with the default path of the field. */
public enum Role {
  USER("userId"),
  ACTION("action"),
  ID("eventId"),
  TIME("occurredAt"),
  COST("cost"),
  TARGET("target"),
  ATTRIBUTES("attributes");

  private final String defaultPath;

  Role(String defaultPath) {
    this.defaultPath = defaultPath;
  }

  /** Returns the name of the field with this role in {@link UserAction}. */
  public String defaultPath() {
    return defaultPath;
  }

  /** Whether every record must have a field with this role, unless the role's path is empty. */
  public boolean isRequired() {
    return this == USER || this == ACTION;
  }

  /** Returns the role's name for messages, such as {@code user}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
