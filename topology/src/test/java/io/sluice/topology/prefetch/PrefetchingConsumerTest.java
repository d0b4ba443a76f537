package io.sluice.topology.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that the caller sees the same as with a consumer that does not poll ahead. */
class PrefetchingConsumerTest {
  private static final TopicPartition FIRST = new TopicPartition("in", 0);
  private static final TopicPartition SECOND = new TopicPartition("in", 1);
  private static final Duration WAIT = Duration.ofMillis(1);

  /** Methods that must not show that the consumer polls ahead. */
  private static final Set<String> ANSWERED_FOR_WHOEVER_POLLS =
      Set.of(
          "poll",
          "position",
          "currentLag",
          "seek",
          "seekToBeginning",
          "seekToEnd",
          "subscribe",
          "unsubscribe",
          "assign",
          "close");

  /** Methods that do not depend on what has been polled. */
  private static final Set<String> THE_SAME_FOR_BOTH =
      Set.of(
          "assignment",
          "subscription",
          "paused",
          "pause",
          "resume",
          "commitSync",
          "commitAsync",
          "committed",
          "beginningOffsets",
          "endOffsets",
          "offsetsForTimes",
          "partitionsFor",
          "listTopics",
          "groupMetadata",
          "enforceRebalance",
          "clientInstanceId",
          "metrics",
          "registerMetricForSubscription",
          "unregisterMetricFromSubscription",
          "wakeup");

  private final MockConsumer<byte[], byte[]> polled = new MockConsumer<>("earliest");
  private final List<ConsumerRecords<byte[], byte[]>> asked = new ArrayList<>();
  private final List<TopicPartition> revoked = new ArrayList<>();
  private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);
  private Consumer<byte[], byte[]> ahead;

  /** Fails for a method that a new version of Kafka adds, until it is in one of the two sets. */
  @Test
  void everyMethodOfAConsumerHasBeenLookedAt() {
    Set<String> known = new TreeSet<>(ANSWERED_FOR_WHOEVER_POLLS);
    known.addAll(THE_SAME_FOR_BOTH);
    assertThat(Stream.of(Consumer.class.getMethods()).map(Method::getName).distinct())
        .containsExactlyInAnyOrderElementsOf(known);
  }

  @BeforeEach
  void subscribe() {
    subscribe(1, 3);
    polled.setMaxPollRecords(2);
    assign(FIRST, SECOND);
  }

  private void subscribe(int many, int enough) {
    ahead =
        PrefetchingConsumer.of(
            polled,
            (records, background) -> {
              if (!records.isEmpty()) asked.add(records);
              return new PrefetchingConsumer.Asked(records, answers);
            },
            many,
            enough);
    ahead.subscribe(
        List.of("in"),
        new ConsumerRebalanceListener() {
          @Override
          public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

          @Override
          public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            revoked.addAll(partitions);
          }
        });
  }

  @AfterEach
  void close() {
    ahead.close();
    assertThat(polled.closed()).isTrue();
  }

  private void assign(TopicPartition... partitions) {
    polled.rebalance(List.of(partitions));
    for (TopicPartition partition : partitions) {
      polled.updateBeginningOffsets(Map.of(partition, 0L));
      polled.updateEndOffsets(Map.of(partition, 100L));
    }
  }

  private void bring(TopicPartition partition, int from, int to) {
    for (int offset = from; offset <= to; offset++) {
      polled.addRecord(
          new ConsumerRecord<>(partition.topic(), partition.partition(), offset, null, null));
    }
  }

  private List<Long> offsets() {
    return offsets(ahead.poll(WAIT));
  }

  private static List<Long> offsets(ConsumerRecords<byte[], byte[]> records) {
    List<Long> offsets = new ArrayList<>();
    records.forEach(record -> offsets.add(record.offset()));
    return offsets;
  }

  @Test
  void asksAboutWhatComesNextBeforeItHandsOverWhatIsThere() {
    bring(FIRST, 0, 4);
    assertThat(offsets()).containsExactly(0L, 1L);
    assertThat(asked).hasSize(2);
    assertThat(offsets()).containsExactly(2L, 3L);
    assertThat(asked).hasSize(3);
    assertThat(offsets()).containsExactly(4L);
    assertThat(offsets()).isEmpty();
  }

  @Test
  void isNotAheadOfLargeRecords() {
    byte[] large = new byte[(int) PrefetchingConsumer.ENOUGH_BYTES];
    for (int offset = 0; offset < 4; offset++) {
      polled.addRecord(
          new ConsumerRecord<>(
              "in",
              0,
              offset,
              0,
              TimestampType.CREATE_TIME,
              0,
              large.length,
              null,
              large,
              new RecordHeaders(),
              Optional.empty()));
    }
    polled.setMaxPollRecords(1);
    assertThat(offsets()).containsExactly(0L);
    assertThat(asked).hasSize(1);
  }

  @Test
  void isNotAheadOfFewRecords() {
    subscribe(3, 4);
    bring(FIRST, 0, 3);
    assertThat(offsets()).containsExactly(0L, 1L);
    assertThat(asked).hasSize(1);
    assertThat(offsets()).containsExactly(2L, 3L);
    assertThat(asked).hasSize(2);
  }

  @Test
  void isSoManyPollsAheadThatItHasEnough() {
    subscribe(1, 6);
    bring(FIRST, 0, 9);
    assertThat(offsets()).containsExactly(0L, 1L);
    assertThat(asked).hasSize(3);
    assertThat(ahead.position(FIRST)).isEqualTo(2);
    assertThat(offsets()).containsExactly(2L, 3L);
    assertThat(asked).hasSize(4);
    assertThat(offsets()).containsExactly(4L, 5L);
    assertThat(offsets()).containsExactly(6L, 7L);
    assertThat(offsets()).containsExactly(8L, 9L);
    assertThat(offsets()).isEmpty();
    assertThat(asked).hasSize(5);
  }

  @Test
  void saysWithRecordsWhichOffsetFollowsThem() {
    bring(FIRST, 0, 3);
    assertThat(ahead.poll(WAIT).nextOffsets().get(FIRST).offset()).isEqualTo(2);
    assertThat(ahead.poll(WAIT).nextOffsets().get(FIRST).offset()).isEqualTo(4);
  }

  @Test
  void hasItsPositionAndLagWhereNothingIsHandedOver() {
    bring(FIRST, 0, 3);
    assertThat(offsets()).containsExactly(0L, 1L);
    assertThat(polled.position(FIRST)).isEqualTo(4);
    assertThat(ahead.position(FIRST)).isEqualTo(2);
    assertThat(ahead.position(FIRST, WAIT)).isEqualTo(2);
    assertThat(ahead.currentLag(FIRST)).hasValue(98);
    assertThat(ahead.position(SECOND)).isZero();
    assertThat(offsets()).containsExactly(2L, 3L);
    assertThat(ahead.position(FIRST)).isEqualTo(4);
    assertThat(ahead.currentLag(FIRST)).hasValue(96);
  }

  @Test
  void handsNothingOverThatIsNotAnsweredYet() {
    answers = new CompletableFuture<>();
    bring(FIRST, 0, 0);
    CompletableFuture<List<Long>> offsets = CompletableFuture.supplyAsync(this::offsets);
    await().until(() -> asked.size() == 1);
    await().during(Duration.ofMillis(50)).until(() -> !offsets.isDone());
    answers.complete(null);
    assertThat(offsets.join()).containsExactly(0L);
  }

  @Test
  void keepsWhatIsOfAPausedPartition() {
    polled.setMaxPollRecords(1);
    bring(FIRST, 0, 2);
    assertThat(offsets()).containsExactly(0L);
    ahead.pause(List.of(FIRST));
    assertThat(offsets()).isEmpty();
    bring(SECOND, 0, 1);
    assertThat(offsets()).containsExactly(0L);
    assertThat(offsets()).containsExactly(1L);
    assertThat(ahead.position(FIRST)).isEqualTo(1);
    ahead.resume(List.of(FIRST));
    assertThat(offsets()).containsExactly(1L);
    assertThat(offsets()).containsExactly(2L);
  }

  @Test
  void forgetsWhatIsOfAPartitionThatGoes() {
    bring(FIRST, 0, 3);
    assertThat(offsets()).containsExactly(0L, 1L);
    assign(SECOND);
    assertThat(revoked).contains(FIRST);
    bring(SECOND, 0, 0);
    assertThat(offsets()).containsExactly(0L);
    assertThat(offsets()).isEmpty();
  }

  @Test
  void startsAnewWhereItIsSent() {
    bring(FIRST, 0, 3);
    assertThat(offsets()).containsExactly(0L, 1L);
    ahead.seek(FIRST, 1);
    bring(FIRST, 1, 3);
    assertThat(ahead.position(FIRST)).isEqualTo(1);
    assertThat(offsets()).containsExactly(1L, 2L);
    ahead.seekToBeginning(List.of(FIRST));
    bring(FIRST, 0, 0);
    assertThat(offsets()).containsExactly(0L);
  }
}
