package io.sluice.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.settings.LimitsConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Test records of a topic of revisions, and the configuration that they change. */
final class Topic {
  static final TopicPartition PARTITION = new TopicPartition("a-limits", 0);
  static final long NOW_MS = 1_800_000_000_000L;
  static final LimitsConfig CONFIG =
      LimitLines.of("sluice.limits=reply", "sluice.limit.reply.quota=5/60s");

  private Topic() {}

  static ConsumerRecord<byte[], byte[]> record(long offset, String key, String value) {
    return record(offset, key, value, NOW_MS - 1_000);
  }

  static ConsumerRecord<byte[], byte[]> record(
      long offset, String key, String value, long timestampMs) {
    return new ConsumerRecord<>(
        PARTITION.topic(),
        PARTITION.partition(),
        offset,
        timestampMs,
        TimestampType.CREATE_TIME,
        0,
        0,
        key == null ? null : key.getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8),
        new RecordHeaders(),
        Optional.empty());
  }

  static ConsumerRecord<byte[], byte[]> quota(long offset, String key, int permits) {
    return record(offset, key, quota(permits));
  }

  static String quota(int permits) {
    return "{\"limit\":\"reply\",\"set\":{\"quota\":\"" + permits + "/60s\"}}";
  }

  static List<ConsumerRecord<byte[], byte[]>> instance(String id, String digest, String words) {
    InstanceRecord instance = new InstanceRecord(id, digest, Map.of("reply", words), 0);
    String value = new String(instance.json(), UTF_8);
    return List.of(record(9, new String(instance.key(), UTF_8), value));
  }
}
