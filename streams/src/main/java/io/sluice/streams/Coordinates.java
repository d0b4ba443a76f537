package io.sluice.streams;

import io.sluice.rules.event.Origin;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Assigns an origin to each record that reaches a node of a task. The origin is the topic,
 * partition and offset of the input record that the task is processing, and a number from the
 * second record on that results from the same offset. Reprocessing a record gives the same origin.
 * Not thread-safe.
 */
final class Coordinates {
  /*
   * Records that result from one offset arrive together, except behind a cache, which forwards
   * records with old coordinates. Their numbers are no longer known, so they get a random unique
   * origin, as do the records of a timer, which have no coordinates. Under exactly-once this is
   * safe: what a task did under a random origin before it died was never committed.
   */
  private final String timer;
  private final Map<TopicPartition, Last> last = new HashMap<>();

  /**
   * Last offset of a partition.
   *
   * @param number count of earlier records that resulted from this offset
   */
  private record Last(long offset, int number) {}

  /**
   * @param timer stands in for topic and partition in the origins of records without coordinates
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
