package io.sluice.schemas;

import java.util.Locale;

/** Role of a record's field in metering, with its default path. */
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

  /** Returns the name of the field in {@link UserAction}. */
  public String defaultPath() {
    return defaultPath;
  }

  /** Whether a record must have the field at its path. */
  public boolean isRequired() {
    return this == USER || this == ACTION;
  }

  /** Returns the name for messages, such as {@code user}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
