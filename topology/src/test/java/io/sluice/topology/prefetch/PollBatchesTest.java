package io.sluice.topology.prefetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventBatch;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.metering.Meters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Tests how the records of a poll become batches. */
class PollBatchesTest {
  private final SluiceConfig config =
      ConfigText.config("sluice.topics.input=left,right", "sluice.redis.uri=redis://127.0.0.1:1");
  private final MeteringServices services = Meters.services(config);
  private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> polled =
      new LinkedHashMap<>();

  private TopicPartition brings(String topic, int partition, int count, long firstMs) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] value =
          "{\"userId\":\"ann\",\"action\":\"post\",\"occurredAt\":%d}"
              .formatted(firstMs + i)
              .getBytes(UTF_8);
      records.add(
          new ConsumerRecord<>(
              topic,
              partition,
              100 + 2L * i,
              0,
              TimestampType.CREATE_TIME,
              ConsumerRecord.NULL_SIZE,
              value.length,
              null,
              value,
              new RecordHeaders(),
              Optional.empty()));
    }
    TopicPartition from = new TopicPartition(topic, partition);
    polled.put(from, records);
    return from;
  }

  private ConsumerRecords<byte[], byte[]> batches() {
    Map<TopicPartition, OffsetAndMetadata> next = new LinkedHashMap<>();
    polled.forEach((partition, records) -> next.put(partition, new OffsetAndMetadata(1_000_000)));
    return Prefetcher.of(services).prefetch(new ConsumerRecords<>(polled, next));
  }

  private static List<Integer> sizes(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(record -> ((EventBatch) record.headers()).size()).toList();
  }

  @Test
  void recordsOfAPartitionBecomeBatchesWithTheOffsetsOfTheirFirstEvents() {
    TopicPartition left = brings("left", 0, 600, 1_000);
    ConsumerRecords<byte[], byte[]> batches = batches();
    assertThat(sizes(batches.records(left))).containsExactly(250, 250, 100);
    assertThat(batches.records(left))
        .extracting(ConsumerRecord::offset)
        .containsExactly(100L, 600L, 1_100L);
    assertThat(batches.records(left))
        .extracting(ConsumerRecord::timestamp)
        .containsExactly(1_249L, 1_499L, 1_599L);
    assertThat(batches.nextOffsets().get(left).offset()).isEqualTo(1_000_000);
  }

  /** A task processes the events of its topics by their times. */
  @Test
  void batchEndsWhereTheOtherTopicOfTheTaskHasTheNextEvent() {
    TopicPartition left = brings("left", 0, 100, 1_000);
    TopicPartition right = brings("right", 0, 100, 1_050);
    TopicPartition other = brings("left", 1, 20, 1_000);
    ConsumerRecords<byte[], byte[]> batches = batches();
    assertThat(sizes(batches.records(left))).startsWith(51, 1).endsWith(1);
    assertThat(sizes(batches.records(right))).startsWith(1, 1).endsWith(51);
    assertThat(sizes(batches.records(other))).containsExactly(20);
  }

  @Test
  void delayedEventsStayAsTheyAre() {
    TopicPartition delayed = brings("delayed-actions", 0, 3, 1_000);
    assertThat(batches().records(delayed)).isEqualTo(polled.get(delayed));
  }

  @Test
  void fewLargeRecordsFillABatch() {
    TopicPartition left = brings("left", 0, 5, 1_000);
    polled
        .get(left)
        .replaceAll(
            each ->
                new ConsumerRecord<>(
                    "left",
                    0,
                    each.offset(),
                    0,
                    TimestampType.CREATE_TIME,
                    1 << 18,
                    1 << 18,
                    null,
                    each.value(),
                    new RecordHeaders(),
                    Optional.empty()));
    assertThat(sizes(batches().records(left))).containsExactly(2, 2, 1);
  }

  @Test
  void faultyRecordsAreInTheBatch() {
    TopicPartition left = brings("left", 0, 3, 1_000);
    polled.get(left).set(1, new ConsumerRecord<>("left", 0, 102, null, new byte[] {1}));
    EventBatch batch = (EventBatch) batches().records(left).get(0).headers();
    assertThat(batch.records())
        .extracting(record -> record.value().isFaulty())
        .containsExactly(false, true, false);
  }

  @Test
  void batchIsTheValueThatKafkaStreamsGets() {
    TopicPartition left = brings("left", 0, 2, 1_000);
    ConsumerRecord<byte[], byte[]> record = batches().records(left).get(0);
    EventRecord value =
        EventRecord.serde().deserializer().deserialize("left", record.headers(), record.value());
    assertThat(value.batch()).containsSame((EventBatch) record.headers());
    assertThat(record.serializedValueSize())
        .isEqualTo(polled.get(left).stream().mapToInt(ConsumerRecord::serializedValueSize).sum());
  }
}
