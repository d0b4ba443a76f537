package io.sluice.limiter.config;

import static java.util.stream.Collectors.joining;

import java.time.ZoneId;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;

/** Parser of time zones, by their names in Java's time zone database. */
public final class Zones {
  static final String ACCEPTED = "UTC, or a name such as Europe/Berlin";

  private static final Set<String> NAMES = Set.copyOf(ZoneId.getAvailableZoneIds());
  private static final int MOST_MEANT = 3;
  private static final int LONGEST = 50;

  private Zones() {}

  static ZoneId read(String text) {
    if (NAMES.contains(text)) return ZoneId.of(text).normalized();
    String meant = meant(text.toLowerCase(Locale.ROOT));
    throw new IllegalArgumentException(
        "a time zone is " + ACCEPTED + (meant.isEmpty() ? "" : "; did you mean " + meant + "?"));
  }

  /** Name of a time zone as it is shown to users. */
  public static String nameOf(ZoneId zone) {
    return zone.getId().equals("Z") ? "UTC" : zone.getId();
  }

  /** Names of time zones that are spelled similarly to a word, as a whole or in their last part. */
  private static String meant(String word) {
    if (word.length() > LONGEST) return "";
    return NAMES.stream()
        .filter(name -> strangeness(word, name) <= lastPart(word).length() / 3)
        .sorted(
            Comparator.comparingInt((String name) -> strangeness(word, name))
                .thenComparing(name -> name))
        .limit(MOST_MEANT)
        .collect(joining(" or "));
  }

  private static int strangeness(String word, String name) {
    String known = name.toLowerCase(Locale.ROOT);
    return Math.min(
        Spelling.distance(word, known), Spelling.distance(lastPart(word), lastPart(known)));
  }

  private static String lastPart(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }
}
