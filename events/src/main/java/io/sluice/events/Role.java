package io.sluice.events;

import io.sluice.schemas.PathTree;
import java.util.Arrays;
import java.util.Locale;

/** Role of a field of events in metering, with the default path of the field. */
public enum Role {
  USER("userId", PathTree.Use.TEXT),
  ACTION("action", PathTree.Use.TEXT),
  ID("eventId", PathTree.Use.TEXT),
  TIME("occurredAt", PathTree.Use.TIME),
  COST("cost", PathTree.Use.COUNT),
  TARGET("target", PathTree.Use.TEXT),
  EXPIRES("", PathTree.Use.TIME),
  ATTRIBUTES("attributes", PathTree.Use.ANY);

  private final String defaultPath;
  private final PathTree.Use use;

  Role(String defaultPath, PathTree.Use use) {
    this.defaultPath = defaultPath;
    this.use = use;
  }

  /**
   * Returns the name of the field with this role in {@link io.sluice.schemas.UserAction}; empty if
   * it has none.
   */
  public String defaultPath() {
    return defaultPath;
  }

  static boolean isDefault(String name) {
    return Arrays.stream(values()).anyMatch(role -> role.defaultPath.equals(name));
  }

  PathTree.Use use() {
    return use;
  }

  /** Whether every event must have a field with this role, unless it has no selector. */
  public boolean isRequired() {
    return this == USER || this == ACTION;
  }

  /** Returns the role's name for messages, such as {@code user}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
