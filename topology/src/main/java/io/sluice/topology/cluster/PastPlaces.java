package io.sluice.topology.cluster;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import io.sluice.topology.event.Field;
import io.sluice.topology.event.Keys;
import io.sluice.topology.event.OutputTopics;
import io.sluice.topology.intake.HomePartitioner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The topics in which past records are looked for.
 *
 * @param topics and the key by which all that is looked for in one is partitioned; none if any
 *     partition may have it
 * @param setting by which people name the topics
 */
record PastPlaces(Map<String, Optional<String>> topics, String setting) {
  static PastPlaces inputs(SluiceConfig config) {
    Map<String, Optional<String>> all = new LinkedHashMap<>();
    for (String topic : config.inputTopics()) all.put(topic, Optional.empty());
    return new PastPlaces(all, Keys.TOPICS_INPUT);
  }

  /**
   * Those of verdicts.
   *
   * @param recordKey the record key of all that is looked for; none if it is not known
   */
  static PastPlaces verdicts(SluiceConfig config, Optional<PastRecords.RecordKey> recordKey) {
    Topics topics = config.topics();
    Optional<String> key = recordKey.map(PastRecords.RecordKey::value);
    Map<String, Optional<String>> all = new LinkedHashMap<>();
    for (String topic : OutputTopics.names(topics.allowed(), topics.rejected())) {
      all.put(topic, key);
    }
    // What is delayed goes to its home, whatever the key of its record is.
    Field home = config.limits().home();
    all.put(
        topics.delayed(),
        recordKey.filter(each -> each.field().equals(home)).map(PastRecords.RecordKey::value));
    return new PastPlaces(all, "sluice.topics");
  }

  boolean has(String topic, int partition, int partitions) {
    return topics
        .get(topic)
        .map(key -> HomePartitioner.of(key, partitions) == partition)
        .orElse(true);
  }
}
