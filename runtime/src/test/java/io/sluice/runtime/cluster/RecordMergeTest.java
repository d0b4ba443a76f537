package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Origin;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of merged partitions. The value of a record is its event's time, or empty if it is no
 * event.
 */
class RecordMergeTest {
  private static final int NO_EVENT = -1;
  private static final TopicPartition A0 = new TopicPartition("a", 0);
  private static final TopicPartition A1 = new TopicPartition("a", 1);
  private static final TopicPartition B0 = new TopicPartition("b", 0);

  private static OptionalLong time(ConsumerRecord<byte[], byte[]> record) {
    String text = new String(record.value());
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  private static ConsumerRecord<byte[], byte[]> record(TopicPartition at, long offset, int time) {
    byte[] value = (time == NO_EVENT ? "" : String.valueOf(time)).getBytes();
    return new ConsumerRecord<>(at.topic(), at.partition(), offset, null, value);
  }

  private static List<String> rest(RecordMerge merge) {
    List<String> rest = new ArrayList<>();
    for (var next = merge.next(); next.isPresent(); next = merge.next()) {
      rest.add(Origin.of(next.get()).toString());
    }
    return rest;
  }

  @Test
  void ofEqualTimesTheFirstTopicAndPartitionComesFirst() {
    RecordMerge merge = new RecordMerge(Set.of(B0, A1, A0), RecordMergeTest::time);
    for (TopicPartition each : List.of(B0, A1, A0)) merge.add(record(each, 0, 5));
    merge.add(record(A0, 1, 5));
    for (TopicPartition each : List.of(B0, A1, A0)) merge.end(each);
    assertThat(rest(merge)).containsExactly("a-0-0", "a-0-1", "a-1-0", "b-0-0");
  }

  @Test
  void partitionsThatEndedOrHaveManyRecordsInMemoryAreNotWanted() {
    RecordMerge merge = new RecordMerge(Set.of(A0, A1, B0), RecordMergeTest::time);
    for (int i = 0; i < 1_000; i++) merge.add(record(A0, i, 5));
    merge.end(A1);
    assertThat(merge.wanted()).containsExactly(B0);
    merge.add(record(B0, 0, 9));
    assertThat(merge.next()).isPresent();
    assertThat(merge.wanted()).containsExactlyInAnyOrder(A0, B0);
  }

  @Test
  void partitionsWithLargeRecordsInMemoryAreNotWanted() {
    RecordMerge merge = new RecordMerge(Set.of(A0), record -> OptionalLong.empty());
    byte[] large = new byte[1 << 17];
    for (int i = 0; i < 2; i++) {
      assertThat(merge.wanted()).containsExactly(A0);
      merge.add(new ConsumerRecord<>(A0.topic(), A0.partition(), i, null, large));
    }
    assertThat(merge.wanted()).isEmpty();
    assertThat(merge.next()).isPresent();
    assertThat(merge.wanted()).containsExactly(A0);
  }

  @Test
  void whatIsNoEventComesDirectlyAfterTheRecordBeforeIt() {
    RecordMerge merge = new RecordMerge(Set.of(A0, B0), RecordMergeTest::time);
    int[] times = {NO_EVENT, 5, NO_EVENT, NO_EVENT, 9};
    for (int i = 0; i < times.length; i++) merge.add(record(B0, i, times[i]));
    merge.add(record(A0, 0, 1));
    merge.add(record(A0, 1, 6));
    merge.end(A0);
    merge.end(B0);
    assertThat(rest(merge))
        .containsExactly("b-0-0", "a-0-0", "b-0-1", "b-0-2", "b-0-3", "a-0-1", "b-0-4");
  }

  @Test
  void nothingComesWhileAPartitionMayHaveAnEarlierOne() {
    RecordMerge merge = new RecordMerge(Set.of(A0, B0), RecordMergeTest::time);
    merge.add(record(A0, 0, 1));
    assertThat(merge.next()).isEmpty();
    assertThat(merge.lacking()).containsExactly(B0);
    merge.end(B0);
    assertThat(merge.next()).isPresent();
    assertThat(merge.lacking()).containsExactly(A0);
    merge.end(A0);
    assertThat(merge.next()).isEmpty();
    assertThat(merge.lacking()).isEmpty();
  }

  /**
   * Reads the partitions in random order and checks that all records come, each partition's in
   * order, each as the smallest head, and each as late as in its own partition.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everyRecordIsTheSmallestHeadAndAsLateAsInItsPartition(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<TopicPartition, Queue<ConsumerRecord<byte[], byte[]>>> unread = new HashMap<>();
    Map<TopicPartition, Queue<Long>> expected = new HashMap<>();
    int all = 0;
    for (TopicPartition each : List.of(A0, A1, B0)) {
      unread.put(each, new ArrayDeque<>());
      expected.put(each, new ArrayDeque<>());
      int base = 0;
      for (int i = random.nextInt(400); i > 0; i--, all++) {
        base += random.nextInt(10);
        int time = Math.max(0, base - (random.nextInt(5) == 0 ? random.nextInt(200) : 0));
        unread.get(each).add(record(each, expected.get(each).size(), time));
        expected.get(each).add((long) time);
      }
    }
    RecordMerge merge = new RecordMerge(unread.keySet(), RecordMergeTest::time);
    Map<TopicPartition, Long> clocks = new HashMap<>();
    long clock = 0;
    for (int taken = 0; taken < all; taken++) {
      while (!merge.lacking().isEmpty()) read(merge, unread, random);
      ConsumerRecord<byte[], byte[]> next = merge.next().orElseThrow();
      TopicPartition at = new TopicPartition(next.topic(), next.partition());
      long time = time(next).orElseThrow();
      assertThat(expected.values().stream().filter(q -> !q.isEmpty()).map(Queue::peek))
          .allMatch(head -> head >= time);
      assertThat(expected.get(at).remove()).isEqualTo(time);
      clock = Math.max(clock, time);
      clocks.merge(at, time, Math::max);
      assertThat(clock).isEqualTo(clocks.get(at));
    }
  }

  /** Adds a few records of a lacking partition, or its end. */
  private static void read(
      RecordMerge merge,
      Map<TopicPartition, Queue<ConsumerRecord<byte[], byte[]>>> unread,
      SplittableRandom random) {
    List<TopicPartition> lacking = List.copyOf(merge.lacking());
    TopicPartition one = lacking.get(random.nextInt(lacking.size()));
    Queue<ConsumerRecord<byte[], byte[]>> queue = unread.get(one);
    if (queue.isEmpty()) merge.end(one);
    for (int i = random.nextInt(1, 9); i > 0 && !queue.isEmpty(); i--) merge.add(queue.remove());
    if (queue.isEmpty()) merge.end(one);
  }
}
