package io.sluice.topology;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The keys that Kafka reads. One that it does not know may be read by somebody's own interceptor or
 * metrics reporter, so it is no mistake; but as a rule it is misspelled.
 */
final class KafkaKeys {
  private static final int LETTERS_PER_SLIP = 5;

  private static final Set<String> KNOWN = known();

  private KafkaKeys() {}

  /** Whether only somebody's own class can read the key. */
  static boolean isUnknown(String key) {
    boolean providers = key.startsWith(AbstractConfig.CONFIG_PROVIDERS_CONFIG + ".");
    boolean internal = key.startsWith("internal.") || key.startsWith("__");
    return !Keys.isOwn(key) && !providers && !internal && !KNOWN.contains(key);
  }

  /** The key that was probably meant. */
  static Optional<String> nearest(String key) {
    int farthest = Math.max(2, key.length() / LETTERS_PER_SLIP);
    return KNOWN.stream()
        .filter(known -> Math.abs(known.length() - key.length()) <= farthest)
        .filter(known -> UnknownKeys.distance(key, known) <= farthest)
        .min(Comparator.comparingInt(known -> UnknownKeys.distance(key, known)));
  }

  private static Set<String> known() {
    Set<String> known = new TreeSet<>();
    StreamsSettings.clients()
        .forEach((prefix, client) -> client.names().forEach(name -> known.add(prefix + name)));
    Arrays.stream(TopicConfig.class.getFields())
        .filter(field -> field.getName().endsWith("_CONFIG"))
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .forEach(field -> known.add(StreamsConfig.TOPIC_PREFIX + text(field)));
    return known;
  }

  private static String text(Field constant) {
    try {
      return (String) constant.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(constant + " is public", e);
    }
  }
}
