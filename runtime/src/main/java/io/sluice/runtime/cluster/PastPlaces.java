package io.sluice.runtime.cluster;

import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.HomePartitioner;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Topics and partitions to search for past records.
 *
 * @param topics each topic with the key by which the wanted records are partitioned; the key is
 *     empty if the records may be in any partition
 * @param setting that names the topics, for messages
 */
record PastPlaces(Map<String, Optional<String>> topics, String setting) {
  static PastPlaces inputs(SluiceConfig config) {
    return all(config.inputTopics(), Keys.TOPICS_INPUT);
  }

  static PastPlaces deadLetters(SluiceConfig config) {
    return all(config.topics().deadLetter().names(), Keys.TOPICS_DEAD_LETTER);
  }

  /** Returns all partitions of these topics. */
  static PastPlaces all(Collection<String> topics, String setting) {
    Map<String, Optional<String>> all = new LinkedHashMap<>();
    for (String topic : topics) all.put(topic, Optional.empty());
    return new PastPlaces(all, setting);
  }

  /**
   * Returns the topics with verdicts: allowed, rejected and delayed events.
   *
   * @param recordKey common record key of the wanted records; empty if it is not known
   */
  static PastPlaces verdicts(SluiceConfig config, Optional<PastRecords.RecordKey> recordKey) {
    Topics topics = config.topics();
    Optional<String> key = recordKey.map(PastRecords.RecordKey::value);
    Map<String, Optional<String>> all = new LinkedHashMap<>();
    for (String topic : OutputTopics.names(topics.allowed(), topics.rejected())) {
      all.put(topic, key);
    }
    // A delayed event is on the partition that its home field decides on, not its record key.
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
