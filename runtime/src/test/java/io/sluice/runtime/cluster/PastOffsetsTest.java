package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PastOffsetsTest {
  private static final TopicPartition FIRST = new TopicPartition("in", 0);
  private static final TopicPartition SECOND = new TopicPartition("in", 1);

  private final PastOffsets offsets =
      new PastOffsets(Map.of(FIRST, 5L, SECOND, 0L), Map.of(FIRST, 8L, SECOND, 1L));

  private static ConsumerRecord<byte[], byte[]> record(TopicPartition at, long offset) {
    return new ConsumerRecord<>(at.topic(), at.partition(), offset, null, new byte[0]);
  }

  /** A fetch may return records that were written after the end offset was requested. */
  @Test
  void whatWasWrittenAfterTheEndWasAskedForIsOutside() {
    assertThat(offsets.isWithin(record(FIRST, 7))).isTrue();
    assertThat(offsets.isWithin(record(FIRST, 8))).isFalse();
    assertThat(offsets.isWithin(record(SECOND, 1))).isFalse();
  }

  @Test
  void aPartitionIsReadToItsEndWhenNothingBeforeItIsLeft() {
    assertThat(offsets.isEnd(FIRST, 7)).isFalse();
    assertThat(offsets.isEnd(FIRST, 8)).isTrue();
    assertThat(offsets.size()).isEqualTo(4);
  }
}
