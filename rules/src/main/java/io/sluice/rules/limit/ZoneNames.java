package io.sluice.rules.limit;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;

/** Lookup of time zones by the names of Java's time zone database, or by offset. */
final class ZoneNames {
  private static final Set<String> ALL = Set.copyOf(ZoneId.getAvailableZoneIds());

  /** Bounds the cost of texts from outside, which can be long; no name is longer. */
  private static final int LONGEST = 50;

  private ZoneNames() {}

  /** Finds a zone by its name, such as Europe/Berlin, or its offset, such as +02:00. */
  static Optional<ZoneId> find(String text) {
    if (text.isEmpty() || text.length() > LONGEST) return Optional.empty();
    char first = text.charAt(0);
    if (first == '+' || first == '-') return offset(text);
    return ALL.contains(text) ? Optional.of(ZoneId.of(text).normalized()) : Optional.empty();
  }

  private static Optional<ZoneId> offset(String text) {
    if (text.length() != "+00:00".length() || text.charAt(3) != ':') return Optional.empty();
    try {
      return Optional.of(ZoneOffset.of(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
