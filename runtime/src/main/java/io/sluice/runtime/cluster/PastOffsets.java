package io.sluice.runtime.cluster;

import io.sluice.rules.StartException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Offsets of the records of a time span, in each partition. Partitions without records in the span
 * are left out.
 *
 * @param begins first offsets in the span
 * @param ends first offsets after the span
 */
record PastOffsets(Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
  /**
   * Looks up the offsets of a time span.
   *
   * @throws StartException if a topic is missing
   */
  static PastOffsets find(Consumer<?, ?> consumer, PastPlaces places, Instant from, Instant to) {
    List<TopicPartition> all = new ArrayList<>();
    for (String topic : places.topics().keySet()) all.addAll(partitions(consumer, places, topic));
    Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(all));
    if (!to.equals(Instant.MAX)) {
      firstSince(consumer, all, to).forEach((each, offset) -> ends.merge(each, offset, Math::min));
    }
    Map<TopicPartition, Long> begins = new HashMap<>(firstSince(consumer, all, from));
    begins.entrySet().removeIf(each -> each.getValue() >= ends.get(each.getKey()));
    ends.keySet().retainAll(begins.keySet());
    return new PastOffsets(begins, ends);
  }

  private static List<TopicPartition> partitions(
      Consumer<?, ?> consumer, PastPlaces places, String topic) {
    List<PartitionInfo> known = consumer.partitionsFor(topic);
    if (known == null || known.isEmpty()) {
      throw new StartException("there is no topic " + topic + " (" + places.setting() + ")");
    }
    return known.stream()
        .filter(each -> places.has(topic, each.partition(), known.size()))
        .map(each -> new TopicPartition(topic, each.partition()))
        .toList();
  }

  private static Map<TopicPartition, Long> firstSince(
      Consumer<?, ?> consumer, List<TopicPartition> all, Instant time) {
    Map<TopicPartition, Long> times = new HashMap<>();
    for (TopicPartition each : all) times.put(each, time.toEpochMilli());
    Map<TopicPartition, Long> first = new HashMap<>();
    consumer
        .offsetsForTimes(times)
        .forEach(
            (partition, found) -> {
              if (found != null) first.put(partition, found.offset());
            });
    return first;
  }

  boolean isWithin(ConsumerRecord<?, ?> record) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    return record.offset() >= begins.get(partition) && record.offset() < ends.get(partition);
  }

  /** Whether a position in a partition is at or past the end of the span. */
  boolean isEnd(TopicPartition partition, long position) {
    return position >= ends.get(partition);
  }

  /** Total number of offsets in the span, over all partitions. */
  long size() {
    long size = 0;
    for (var each : begins.entrySet()) size += ends.get(each.getKey()) - each.getValue();
    return size;
  }
}
