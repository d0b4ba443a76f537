package io.sluice.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads what is committed in the topics, as whoever is downstream would. */
final class Evidence implements AutoCloseable {
  private static final Comparator<Kept> IN_ORDER =
      Comparator.comparingInt(Kept::partition).thenComparingLong(Kept::offset);
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<String, List<Kept>> kept = new HashMap<>();
  private final List<String> strangers = new ArrayList<>();
  private final Set<Long> unended = new HashSet<>();
  private final Set<Long> ended = new HashSet<>();

  Evidence(String bootstrapServers) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : Topics.ALL) {
      kept.put(topic, new ArrayList<>());
      consumer
          .partitionsFor(topic)
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Reads all that is there by now. */
  void readOn() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) keep(record);
    }
  }

  private void keep(ConsumerRecord<byte[], byte[]> record) {
    Optional<Described> event = Described.in(record.headers());
    if (event.isEmpty()) {
      strangers.add(
          "a record that does not say what it is, at %s-%d-%d"
              .formatted(record.topic(), record.partition(), record.offset()));
      return;
    }
    kept.get(record.topic()).add(new Kept(record, event.get()));
    note(record.topic(), event.get().number());
  }

  private void note(String topic, long number) {
    if (topic.equals(Topics.INPUT)) {
      if (!ended.contains(number)) unended.add(number);
    } else if (!topic.equals(Topics.DELAYED)) {
      ended.add(number);
      unended.remove(number);
    }
  }

  /** How many inputs have not ended yet. */
  int unended() {
    return unended.size();
  }

  /** The latest time at which anything that was delayed leaves. */
  long lastReleaseMs() {
    return kept.get(Topics.DELAYED).stream()
        .mapToLong(each -> each.number(Verdicts.RELEASE_AT))
        .max()
        .orElse(0);
  }

  /** All that was read. */
  History history() {
    kept.values().forEach(each -> each.sort(IN_ORDER));
    return new History(
        kept.get(Topics.INPUT),
        kept.get(Topics.ALLOWED),
        kept.get(Topics.REJECTED),
        kept.get(Topics.DEAD_LETTERS),
        kept.get(Topics.DELAYED),
        strangers);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
