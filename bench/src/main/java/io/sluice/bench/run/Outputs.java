package io.sluice.bench.run;

import io.sluice.bench.lab.Laboratory;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Committed records of an output topic, whose timestamps the broker has set.
 *
 * @param byMs number of records by their timestamp, in epoch milliseconds
 */
public record Outputs(NavigableMap<Long, Long> byMs) {
  private static final int MOST_IN_A_POLL = 10_000;

  /** Settings of an output topic on which the broker sets the timestamps. */
  public static final Map<String, String> STAMPED_BY_BROKER =
      Map.of("message.timestamp.type", "LogAppendTime");

  public static Outputs of(Laboratory laboratory, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = laboratory.consumer(topic, MOST_IN_A_POLL)) {
      return readAll(consumer);
    }
  }

  private static Outputs readAll(KafkaConsumer<byte[], byte[]> consumer) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    NavigableMap<Long, Long> byMs = new TreeMap<>();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
        byMs.merge(each.timestamp(), 1L, Long::sum);
      }
    }
    return new Outputs(byMs);
  }

  public long count() {
    return byMs.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the timestamp of the first record, in epoch milliseconds; 0 if there is no record. */
  public long firstMs() {
    return byMs.isEmpty() ? 0 : byMs.firstKey();
  }

  /** Returns the timestamp of the last record, in epoch milliseconds; 0 if there is no record. */
  public long lastMs() {
    return byMs.isEmpty() ? 0 : byMs.lastKey();
  }

  /**
   * Returns the records per second in the second half of the records. If all of the second half
   * arrived in one millisecond, as a batch does, it is the rate in that millisecond.
   */
  public double lastHalfPerSecond() {
    long half = count() / 2;
    long come = 0;
    for (Map.Entry<Long, Long> each : byMs.entrySet()) {
      come += each.getValue();
      if (come >= half) {
        long rest = come == count() ? each.getValue() : count() - come;
        return rest * 1_000.0 / Math.max(1, lastMs() - each.getKey());
      }
    }
    return 0;
  }
}
