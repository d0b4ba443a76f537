package io.sluice.topology;

import java.util.Optional;

/** The names of limits, and where they stand in keys. */
final class LimitName {
  static final String ACCEPTED = "letters, digits, - and _";

  private static final String PREFIX = "sluice.limit.";

  private LimitName() {}

  static Form<String> form() {
    return Form.text("a limit's name is " + ACCEPTED, "[A-Za-z0-9_-]+");
  }

  /** The name of the limit that the key is a setting of; names have no dots. */
  static Optional<String> in(String key) {
    if (!key.startsWith(PREFIX)) return Optional.empty();
    int end = key.indexOf('.', PREFIX.length());
    return end < 0 ? Optional.empty() : Optional.of(key.substring(PREFIX.length(), end));
  }
}
