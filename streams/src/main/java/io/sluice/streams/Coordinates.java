package io.sluice.streams;

import io.sluice.topology.event.Origin;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The origins of the records that come to one node of a task, each of which has its own: topic,
 * partition and offset of what the task is processing, and from the second record that comes of
 * that on, a number. Processed again, a record has the same origin. Not thread-safe.
 */
final class Coordinates {
  /*
   * What comes of one offset comes together, except from behind a cache, where records have the
   * coordinates of long ago: of those nobody knows any more how many there were. They get an origin
   * that nobody else has, as do those that a timer has made, which have no coordinates. Exactly once
   * that is as good: what was done with another origin, by a task that died, was never done.
   */
  private final String timer;
  private final Map<TopicPartition, Last> last = new HashMap<>();

  /**
   * @param number of records of that offset so far
   */
  private record Last(long offset, int number) {}

  /**
   * @param timer stands for topic and partition where there are none
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
