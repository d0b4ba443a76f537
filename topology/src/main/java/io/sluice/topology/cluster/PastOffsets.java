package io.sluice.topology.cluster;

import io.sluice.topology.metrics.StartException;
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
 * The offsets that a span of time has in each partition; those that have none are left out.
 *
 * @param begins the first ones
 * @param ends the first ones behind it
 */
record PastOffsets(Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
  /**
   * Asks for them.
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

  /** Whether a reader who is there has read all of the partition. */
  boolean isEnd(TopicPartition partition, long position) {
    return position >= ends.get(partition);
  }

  /** How many there are. */
  long size() {
    long size = 0;
    for (var each : begins.entrySet()) size += ends.get(each.getKey()) - each.getValue();
    return size;
  }
}
