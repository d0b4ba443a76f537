package io.sluice.streams;

import io.sluice.rules.event.Origin;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Assigns an origin, a unique name, to each record that reaches a node of a stream task. The origin
 * is the topic, partition and offset of the input record that the task is processing; if several
 * records result from this input record, it also has a number from the second on. Reprocessing an
 * input record gives the same origins. Not thread-safe.
 */
final class Coordinates {
  /*
   * Records that result from one input offset arrive together, except behind a cache, which
   * forwards records with older topic, partition and offset. Their numbers are no longer known, so
   * they get a random unique origin, as do the records of a timer, which result from no input
   * record. Under exactly-once this is safe: if a task dies, nothing that it did under a random
   * origin was committed.
   */
  private final String timer;
  private final Map<TopicPartition, Last> last = new HashMap<>();

  /**
   * Last input offset of a partition.
   *
   * @param number number of earlier records that resulted from this offset
   */
  private record Last(long offset, int number) {}

  /**
   * @param timer stands for topic and partition in the origins of records without an input record
   */
  Coordinates(String timer) {
    this.timer = timer;
  }

  Origin next(Optional<RecordMetadata> at) {
    return at.filter(from -> from.topic() != null && from.offset() >= 0)
        .map(this::next)
        .orElseGet(() -> unique(timer));
  }

  private Origin next(RecordMetadata at) {
    TopicPartition partition = new TopicPartition(at.topic(), at.partition());
    Last before = last.get(partition);
    if (before != null && at.offset() < before.offset) return unique(partition.toString());
    int number = before == null || at.offset() > before.offset ? 0 : before.number + 1;
    last.put(partition, new Last(at.offset(), number));
    String first = Origin.of(at.topic(), at.partition(), at.offset()).toString();
    return number == 0 ? Origin.parse(first) : Origin.parse(first + "." + number);
  }

  private static Origin unique(String place) {
    return Origin.parse(place + "-" + UUID.randomUUID().toString().replace("-", ""));
  }
}
