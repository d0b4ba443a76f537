package io.sluice.topology.config;

import io.sluice.events.config.EventSettings;
import io.sluice.limiter.config.Spelling;
import io.sluice.rules.event.Keys;
import io.sluice.rules.settings.LimitName;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.Setting;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Check for unknown keys with the prefix {@code sluice.}; it suggests the most similar key. */
final class UnknownKeys {
  private final RawSettings settings;
  private final Set<String> known;
  private final List<String> inputs;

  /**
   * @param limits names of the limits whose keys may be suggested
   * @param inputs input topics, which may have settings of their own for events
   */
  UnknownKeys(RawSettings settings, List<String> limits, List<String> inputs) {
    this.settings = settings;
    this.inputs = inputs;
    known = new LinkedHashSet<>(CommonSettings.definition().names());
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
    return match || known.contains(key) || isAttribute(key) || isOfInput(key) || isWeight(key);
  }

  private static boolean isWeight(String key) {
    return key.startsWith(Keys.QUEUE_WEIGHT) && key.length() > Keys.QUEUE_WEIGHT.length();
  }

  private static boolean isAttribute(String key) {
    return key.startsWith(Keys.EVENT_ATTRIBUTE) && key.length() > Keys.EVENT_ATTRIBUTE.length();
  }

  private boolean isOfInput(String key) {
    for (String topic : inputs) {
      String prefix = Keys.ofInput(topic, Keys.EVENT);
      if (!key.startsWith(prefix)) continue;
      String common = Keys.EVENT + key.substring(prefix.length());
      if (isAttribute(common) || EventSettings.names().contains(common)) return true;
    }
    return false;
  }

  private String nearest(String key) {
    String kafkas = key.substring("sluice.".length());
    if (KafkaKeys.isRead(kafkas)) return kafkas;
    return Stream.concat(known.stream(), weight(key))
        .min(Comparator.comparingInt(candidate -> strangeness(key, candidate)))
        .orElseThrow();
  }

  /** Returns the weight that an unknown key may mean: of the tenant after its third dot. */
  private static Stream<String> weight(String key) {
    String[] parts = key.split("\\.", 4);
    boolean hasTenant = parts.length == 4 && !parts[3].isEmpty();
    return hasTenant ? Stream.of(Keys.QUEUE_WEIGHT + parts[3]) : Stream.of();
  }

  private static Stream<String> keysOf(String limit) {
    return LimitSettings.definition().configKeys().values().stream()
        .map(key -> ((Setting<?>) key).keyFor(limit))
        .map(key -> key.replaceAll("\\.match\\.F$", ".match.action"));
  }

  /**
   * Returns the edit distance of an unknown key to a known key; 1 if the known key continues the
   * unknown key after a dot.
   */
  private static int strangeness(String key, String candidate) {
    return candidate.startsWith(key + ".") ? 1 : Spelling.distance(key, candidate);
  }
}
