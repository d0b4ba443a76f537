package io.sluice.topology.delay;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Numbers that replace header names in stored delayed events, so that a name takes one byte. */
final class HeaderNumbers {
  /*
   * The numbers are part of the stored format of DelayedEvent, so a number always stands for the
   * same name. A new number needs a new version of the format, because older releases do not know
   * the number.
   */
  private static final Map<String, Integer> NUMBERS =
      Map.of(
          "sluice-verdict", 1,
          "sluice-limit", 2,
          "sluice-remaining", 3,
          "sluice-retry-after-ms", 4,
          "sluice-reset-after-ms", 5,
          "sluice-attempt", 6,
          "sluice-release-at-ms", 7,
          "sluice-release-to", 8,
          "sluice-origin", 9);

  private static final Map<Integer, String> NAMES =
      NUMBERS.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

  /** Number that marks a header whose name has no number and is stored as text. */
  static final int NONE = 0;

  private HeaderNumbers() {}

  static int of(String name) {
    return NUMBERS.getOrDefault(name, NONE);
  }

  static Optional<String> name(int number) {
    return Optional.ofNullable(NAMES.get(number));
  }
}
