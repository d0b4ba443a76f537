package io.sluice.topology.config;

import io.sluice.rules.event.Keys;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Change of a setting's default value in a release of Sluice.
 *
 * @param key key of the setting; for a Kafka setting also with any client prefix before it
 * @param since the first release with the new default
 * @param before the old default
 * @param now the new default
 */
record ChangedDefaults(String key, String since, String before, String now) {
  static final String ACCEPTED = "a release of Sluice, such as 0.2 or 0.2.0";
  static final String RELEASE = "[0-9]{1,4}\\.[0-9]{1,4}(\\.[0-9]{1,4})?";

  /** All changes of defaults. A new change must be added here, and to docs/migrating.md. */
  private static final List<ChangedDefaults> ALL =
      List.of(
          new ChangedDefaults(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, "0.2", "45000", "15000"),
          new ChangedDefaults(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, "0.2", "0", "1"),
          new ChangedDefaults(
              ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "0.2", "1048576", "16777216"));

  /**
   * Returns a warning for each setting whose default has changed since a release and which the
   * configuration does not set.
   *
   * @param release release that the configuration file was written for
   * @param given keys that the configuration sets
   */
  static Stream<String> since(String release, Set<String> given) {
    return ALL.stream()
        .filter(each -> isBefore(release, each.since))
        .filter(each -> given.stream().noneMatch(each::isOf))
        .map(ChangedDefaults::line);
  }

  private boolean isOf(String given) {
    return given.equals(key) || given.endsWith("." + key);
  }

  private String line() {
    return "%s: the default is %s since %s, and was %s before; give the one that you want, and then a later %s"
        .formatted(key, now, since, before, Keys.VERSION);
  }

  private static boolean isBefore(String one, String other) {
    return Arrays.compare(numbers(one), numbers(other)) < 0;
  }

  private static int[] numbers(String release) {
    return Arrays.copyOf(
        Arrays.stream(release.split("\\.")).mapToInt(Integer::parseInt).toArray(), 3);
  }
}
