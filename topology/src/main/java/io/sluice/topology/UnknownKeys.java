package io.sluice.topology;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;

/** Finds the keys that nothing reads, and what was probably meant. */
final class UnknownKeys {
  private final GivenSettings settings;
  private final List<String> limits;

  /**
   * @param limits those whose keys may be meant
   */
  UnknownKeys(GivenSettings settings, List<String> limits) {
    this.settings = settings;
    this.limits =
        Stream.concat(limits.stream(), settings.limitNames().stream()).distinct().toList();
  }

  void check() {
    for (String key : settings.texts().keySet()) {
      if (SluiceConfig.isOwn(key) && !isKnown(key)) {
        settings.mistakes().add(key, "unknown; did you mean " + nearest(key) + "?");
      }
    }
  }

  private boolean isKnown(String key) {
    boolean match =
        LimitName.in(key).map(LimitSettings::matchPrefix).filter(key::startsWith).isPresent();
    return match || known().anyMatch(key::equals);
  }

  private String nearest(String key) {
    return known().min(Comparator.comparingInt(known -> distance(key, known))).orElseThrow();
  }

  private Stream<String> known() {
    return Stream.concat(
        SluiceConfig.configDef().names().stream(), limits.stream().flatMap(UnknownKeys::keysOf));
  }

  private static Stream<String> keysOf(String limit) {
    return LimitSettings.definition().configKeys().values().stream()
        .map(ConfigDef.ConfigKey.class::cast)
        .map(key -> ((Setting<?>) key).keyFor(limit));
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
