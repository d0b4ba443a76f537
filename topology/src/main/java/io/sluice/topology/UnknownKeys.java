package io.sluice.topology;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the keys that nothing reads, and what was probably meant. */
final class UnknownKeys {
  private final GivenSettings settings;
  private final Set<String> known;

  /**
   * @param limits those whose keys may be meant
   */
  UnknownKeys(GivenSettings settings, List<String> limits) {
    this.settings = settings;
    known = new LinkedHashSet<>(SluiceConfig.configDef().names());
    Stream.concat(limits.stream(), settings.limitNames().stream())
        .distinct()
        .flatMap(UnknownKeys::keysOf)
        .forEach(known::add);
  }

  void check() {
    for (String key : settings.texts().keySet()) {
      if (Keys.isOwn(key) && !isKnown(key)) {
        String meant = settings.mistakes().spelledLike(key, nearest(key));
        settings.mistakes().add(key, "unknown; did you mean " + meant + "?");
      }
    }
  }

  private boolean isKnown(String key) {
    boolean match =
        LimitName.in(key).map(LimitSettings::matchPrefix).filter(key::startsWith).isPresent();
    return match || known.contains(key);
  }

  private String nearest(String key) {
    String kafkas = key.substring("sluice.".length());
    if (StreamsSettings.isKnown(kafkas)) return kafkas;
    return Collections.min(
        known, Comparator.comparingInt(candidate -> strangeness(key, candidate)));
  }

  private static Stream<String> keysOf(String limit) {
    return SluiceConfig.limitConfigDef().configKeys().values().stream()
        .map(key -> ((Setting<?>) key).keyFor(limit))
        .map(key -> key.replaceAll("\\.match\\.F$", ".match.action"));
  }

  /** A key that only stops early is near, however much of it is left out. */
  private static int strangeness(String key, String candidate) {
    return candidate.startsWith(key + ".") ? 1 : distance(key, candidate);
  }

  /** Levenshtein's: how many letters must be put in, taken out or changed. */
  static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) row[j] = j;
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
