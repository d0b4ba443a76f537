package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue that is read on from where it was left. */
class DelayQueueTest {
  static final TaskId TASK = new TaskId(0, 0);
  private static final byte[] ROW = {1};

  @TempDir private Path folder;

  /** Opens the store of a configuration, and closes it. */
  static void reopened(
      SluiceConfig config, Path folder, Consumer<KeyValueStore<Bytes, byte[]>> use) {
    KeyValueStore<Bytes, byte[]> store =
        DelayPath.of(config, new HomePartition(Field.USER_ID, 1), () -> 0)
            .waiting()
            .withLoggingDisabled()
            .build();
    MockProcessorContext<Object, Object> context =
        new MockProcessorContext<>(properties(), TASK, folder.toFile());
    store.init(context.getStateStoreContext(), store);
    try {
      use.accept(store);
    } finally {
      store.close();
    }
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("application.id", "test");
    properties.setProperty("bootstrap.servers", "localhost:9092");
    return properties;
  }

  private void opened(String kind, Consumer<KeyValueStore<Bytes, byte[]>> use) {
    reopened(ConfigText.config("sluice.state.store=" + kind), folder, use);
  }

  private static List<Long> leaveAll(DelayQueue queue, long nowMs) {
    List<Long> left = new ArrayList<>();
    if (!queue.mayHaveDue(nowMs)) return left;
    try (KeyValueIterator<Bytes, byte[]> due = queue.due(nowMs)) {
      while (due.hasNext()) {
        Bytes key = due.next().key;
        queue.leave(key);
        left.add(DueKey.dueMs(key));
      }
    }
    queue.readUpTo(DueKey.of(nowMs + 1, 0));
    queue.noteIfWorthIt(nowMs);
    return left;
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void eventsLeaveByTheTimeTheyAreDueThenByTheirOffset(String kind) {
    opened(
        kind,
        store -> {
          DelayQueue queue = new DelayQueue(store);
          long[][] keys = {{300, 1}, {256, 2}, {255, 3}, {256, 1}, {1L << 40, 4}, {0, 5}};
          for (long[] key : keys) queue.add(DueKey.of(key[0], key[1]), ROW);
          assertThat(queue.waiting()).isEqualTo(6);
          assertThat(leaveAll(queue, 299)).containsExactly(0L, 255L, 256L, 256L);
          assertThat(queue.overdueMs(299)).isZero();
          assertThat(leaveAll(queue, 299)).isEmpty();
          assertThat(leaveAll(queue, 300)).containsExactly(300L);
          assertThat(queue.waiting()).isEqualTo(1);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void whatComesBelowThePlaceIsSeenAlthoughItIsNotDue(String kind) {
    opened(
        kind,
        store -> {
          DelayQueue queue = new DelayQueue(store);
          queue.add(DueKey.of(100, 0), ROW);
          assertThat(leaveAll(queue, 200)).hasSize(1);
          queue.add(DueKey.of(500, 1), ROW);
          queue.add(DueKey.of(150, 2), ROW); // the wall clock has gone back to 120
          assertThat(queue.isBeforeAll(DueKey.of(149, 9))).isTrue();
          assertThat(queue.isBeforeAll(DueKey.of(151, 9))).isFalse();
          assertThat(leaveAll(queue, 150)).containsExactly(150L);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5_000, 10_000, 25_000})
  void afterARestartItIsReadOnFromWhereItWas(int left) {
    opened(
        "rocksdb",
        store -> {
          DelayQueue queue = new DelayQueue(store);
          for (int i = 0; i < 30_000; i++) queue.add(DueKey.of(i, i), ROW);
          for (int now = 999; now < left; now += 1_000) leaveAll(queue, now);
        });
    opened(
        "rocksdb",
        store -> {
          DelayQueue queue = new DelayQueue(store);
          assertThat(queue.waiting()).isEqualTo(30_000 - left);
          assertThat(leaveAll(queue, left + 1)).containsExactly((long) left, left + 1L);
          assertThat(leaveAll(queue, 29_999)).hasSize(30_000 - left - 2);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb"})
  void afterARestartWhatCameBelowThePlaceIsStillThere(String kind) {
    opened(
        kind,
        store -> {
          DelayQueue queue = new DelayQueue(store);
          for (int i = 0; i < 20_000; i++) queue.add(DueKey.of(i, i), ROW);
          leaveAll(queue, 20_000);
          queue.add(DueKey.of(70, 0), ROW); // the wall clock has gone back
        });
    opened(kind, store -> assertThat(leaveAll(new DelayQueue(store), 71)).containsExactly(70L));
  }

  @Test
  void anHourAfterItHasLeftAnEventIsNotSeenEvenIfItsTombstoneIsLost() {
    long hour = DelayQueue.LONGEST_UNNOTED_MS;
    opened(
        "rocksdb",
        store -> {
          DelayQueue queue = new DelayQueue(store);
          for (int i = 0; i < 3; i++) queue.add(DueKey.of(100, i), ROW);
          leaveAll(queue, 100);
          queue.add(DueKey.of(2 * hour, 9), ROW);
          queue.noteIfWorthIt(100 + hour);
          for (int i = 0; i < 3; i++) store.put(DueKey.of(100, i), ROW);
        });
    opened(
        "rocksdb",
        store -> {
          DelayQueue queue = new DelayQueue(store);
          assertThat(queue.waiting()).isEqualTo(1);
          assertThat(leaveAll(queue, 2 * hour)).containsExactly(2 * hour);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void theSameEventAgainIsNotCountedTwice(String kind) {
    opened(
        kind,
        store -> {
          DelayQueue queue = new DelayQueue(store);
          for (int i = 0; i < 3; i++) queue.add(DueKey.of(100, 7), ROW);
          assertThat(queue.waiting()).isEqualTo(1);
          assertThat(leaveAll(queue, 100)).hasSize(1);
          assertThat(queue.waiting()).isZero();
        });
  }
}
