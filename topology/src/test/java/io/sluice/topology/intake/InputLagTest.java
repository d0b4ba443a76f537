package io.sluice.topology.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InputLagTest {
  private static final TopicPartition INPUT = new TopicPartition("user-actions", 1);
  private static final TopicPartition HOP = new TopicPartition("app-home-repartition", 1);
  private static final TopicPartition DELAYED = new TopicPartition("delayed-actions", 1);
  private static final TopicPartition OTHER = new TopicPartition("user-actions", 2);
  private static final List<TopicPartition> ALL = List.of(INPUT, HOP, DELAYED, OTHER);

  private final MockConsumer<byte[], byte[]> plain =
      new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
  private final InputLag lag = lag();
  private final Consumer<byte[], byte[]> consumer = lag.watched(plain);

  private static InputLag lag(String... more) {
    Map<String, String> given = ConfigText.without(more);
    given.put("application.id", "app");
    return InputLag.of(SluiceConfig.of(given), () -> true);
  }

  private record At(String topic, int partition, long offset) implements RecordMetadata {}

  @BeforeEach
  void assign() {
    consumer.assign(ALL);
    for (TopicPartition each : ALL) {
      plain.updateBeginningOffsets(Map.of(each, 0L));
      plain.updateEndOffsets(Map.of(each, 0L));
    }
  }

  private void arrive(TopicPartition at, long offset) {
    plain.updateEndOffsets(Map.of(at, offset + 1));
    plain.addRecord(
        new ConsumerRecord<>(at.topic(), at.partition(), offset, new byte[0], new byte[0]));
  }

  private void poll() {
    consumer.poll(Duration.ZERO);
  }

  private void process(TopicPartition at, long offset) {
    lag.processed(new At(at.topic(), at.partition(), offset), 0);
  }

  private boolean isZero() {
    return lag.isZero(1, 0);
  }

  @Test
  void nothingIsLeftOfAnEmptyInput() {
    poll();
    assertThat(isZero()).isTrue();
  }

  /** A task that is restored before the first poll may ask for the lag. */
  @Test
  void beforeTheFirstPollSomethingMayBeLeft() {
    assertThat(isZero()).isFalse();
    assertThat(lag.isZero(1, 999)).isFalse();
    assertThat(lag.isZero(1, 1_000)).isTrue();
    assertThat(InputLag.none().isZero(1, 0)).isTrue();
  }

  @Test
  void whatIsPolledAndNotProcessedIsLeft() {
    for (TopicPartition each : List.of(INPUT, HOP)) {
      arrive(each, 0);
      arrive(each, 1);
      poll();
      assertThat(isZero()).isFalse();
      process(each, 0);
      assertThat(isZero()).isFalse();
      process(each, 1);
      assertThat(isZero()).isTrue();
    }
  }

  @Test
  void recordsThatAreNotPolledAreLeft() {
    poll();
    plain.updateEndOffsets(Map.of(INPUT, 7L));
    assertThat(isZero()).isFalse();
  }

  @Test
  void otherPartitionsAndTheTopicOfDelayedEventsAreNoInputOfTheTask() {
    arrive(OTHER, 0);
    arrive(DELAYED, 0);
    poll();
    plain.updateEndOffsets(Map.of(OTHER, 7L, DELAYED, 7L));
    assertThat(isZero()).isTrue();
  }

  /** A task that is revived reads again from its last commit. */
  @Test
  void whatComesOnceMoreIsLeftUntilItIsProcessedOnceMore() {
    arrive(INPUT, 0);
    arrive(INPUT, 1);
    poll();
    process(INPUT, 0);
    process(INPUT, 1);
    consumer.seek(INPUT, 0);
    assertThat(isZero()).isFalse();
    plain.addRecord(new ConsumerRecord<>("user-actions", 1, 0L, new byte[0], new byte[0]));
    poll();
    assertThat(isZero()).isFalse();
  }

  @Test
  void whereStreamsMakesItsOwnConsumerNoneIsLeftIfNoneHasComeForASecond() {
    InputLag ofIdleness = lag("group.protocol=streams");
    ofIdleness.processed(new At("user-actions", 1, 0), 5_000);
    assertThat(ofIdleness.isZero(1, 5_999)).isFalse();
    assertThat(ofIdleness.isZero(1, 6_000)).isTrue();
  }

  /** Other instances have processed the records that this one had not. */
  @Test
  void nothingIsLeftOfAPartitionThatComesBack() {
    arrive(INPUT, 0);
    poll();
    consumer.assign(List.of(HOP));
    poll();
    consumer.assign(ALL);
    consumer.seek(INPUT, 1);
    poll();
    assertThat(isZero()).isTrue();
  }
}
