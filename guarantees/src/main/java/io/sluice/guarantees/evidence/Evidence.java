package io.sluice.guarantees.evidence;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Topics;
import io.sluice.guarantees.scenario.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the committed records of an application's input and output topics, like a downstream
 * consumer.
 */
public final class Evidence implements AutoCloseable {
  private static final Comparator<Kept> IN_ORDER =
      Comparator.comparing(Kept::topic)
          .thenComparingInt(Kept::partition)
          .thenComparingLong(Kept::offset);
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Topics.Outputs outputs;
  private final Map<String, List<Kept>> kept = new HashMap<>();
  private final Map<String, Described> inputAt = new HashMap<>();
  private final List<ConsumerRecord<byte[], byte[]>> nameless = new ArrayList<>();
  private final Set<Long> unended = new HashSet<>();
  private final Set<Long> ended = new HashSet<>();

  /**
   * @param outputs output topics of the application
   */
  public Evidence(String bootstrapServers, Topics.Outputs outputs) {
    this.outputs = outputs;
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    Stream.concat(Topics.INPUTS.stream(), outputs.all().stream())
        .forEach(
            topic -> {
              kept.put(topic, new ArrayList<>());
              consumer
                  .partitionsFor(topic)
                  .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
            });
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Reads all further records up to the current end of all topics. */
  public void readOn() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) keep(record);
    }
    List<ConsumerRecord<byte[], byte[]>> still = List.copyOf(nameless);
    nameless.clear();
    still.forEach(this::keep); // the inputs that they name have been read now
  }

  private void keep(ConsumerRecord<byte[], byte[]> record) {
    Optional<Described> event = Described.in(record.headers()).or(() -> named(record));
    if (event.isEmpty()) {
      if (isOrder(record)) return;
      nameless.add(record);
      return;
    }
    Kept found = Kept.of(record, event.get());
    kept.get(record.topic()).add(found);
    note(found);
  }

  /** Whether a record is an order about events in line, which the run has given. */
  private boolean isOrder(ConsumerRecord<byte[], byte[]> record) {
    return record.topic().equals(outputs.delayed())
        && !Kept.header(record, Verdicts.CONTROL).isEmpty();
  }

  /**
   * Finds the description of a dead letter that has lost its headers, by the origin of the input
   * record that it names.
   */
  private Optional<Described> named(ConsumerRecord<byte[], byte[]> record) {
    if (!record.topic().equals(outputs.deadLetters())) return Optional.empty();
    String origin = Kept.header(record, Verdicts.ERROR_ORIGIN);
    return Optional.ofNullable(inputAt.get(origin));
  }

  private void note(Kept found) {
    long number = found.number();
    if (Topics.INPUTS.contains(found.topic())) {
      inputAt.put(found.at(), found.event());
      if (!ended.contains(number)) unended.add(number);
    } else if (!found.topic().equals(outputs.delayed())) {
      ended.add(number);
      unended.remove(number);
    }
  }

  /**
   * Returns the number of input records that have not yet ended as allowed, rejected or dead
   * letters.
   */
  public int unended() {
    return unended.size();
  }

  /**
   * Returns the latest announced release time of all delayed events, in epoch milliseconds; 0 if
   * there is none. Estimates for events in line do not count.
   */
  public long lastReleaseMs() {
    return kept.get(outputs.delayed()).stream()
        .filter(each -> each.header(Verdicts.ESTIMATE).isEmpty())
        .mapToLong(each -> each.number(Verdicts.RELEASE_AT))
        .max()
        .orElse(0);
  }

  /** Returns all records read so far. */
  public Read all() {
    kept.values().forEach(each -> each.sort(IN_ORDER));
    return new Read(
        Topics.INPUTS.stream().map(kept::get).flatMap(List::stream).toList(),
        kept.get(outputs.allowed()),
        kept.get(outputs.rejected()),
        kept.get(outputs.deadLetters()),
        kept.get(outputs.delayed()),
        nameless.stream().map(Evidence::stranger).toList());
  }

  private static String stranger(ConsumerRecord<byte[], byte[]> record) {
    return "a record that does not say what it is, at %s-%d-%d"
        .formatted(record.topic(), record.partition(), record.offset());
  }

  @Override
  public void close() {
    consumer.close();
  }
}
