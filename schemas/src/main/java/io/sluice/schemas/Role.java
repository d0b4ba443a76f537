package io.sluice.schemas;

import java.util.Locale;

/** The role of a record's field in metering, with its default path. */
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

  /** The name that {@link UserAction} gives it. */
  public String defaultPath() {
    return defaultPath;
  }

  /** Whether it must be where its path says. */
  public boolean isRequired() {
    return this == USER || this == ACTION;
  }

  /** What people call it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
