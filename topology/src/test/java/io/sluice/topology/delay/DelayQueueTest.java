package io.sluice.topology.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Servers;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metering.Meters;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the queue resumes reading at its stored position. */
class DelayQueueTest {
  static final TaskId TASK = new TaskId(0, 0);
  private static final byte[] ROW = {1};

  @TempDir private Path folder;

  /** Opens the store of a configuration, uses it, and closes it. */
  static void reopened(
      SluiceConfig config, Path folder, Consumer<KeyValueStore<Bytes, byte[]>> use) {
    KeyValueStore<Bytes, byte[]> store =
        DelayPath.of(Meters.services(config), () -> 0, "").waiting().withLoggingDisabled().build();
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

  private static void reopened(String kind, Consumer<KeyValueStore<Bytes, byte[]>> use) {
    reopened(ConfigText.config("sluice.state.store=" + kind), Servers.folder(), use);
  }

  private void opened(String kind, Consumer<KeyValueStore<Bytes, byte[]>> use) {
    reopened(ConfigText.config("sluice.state.store=" + kind), folder, use);
  }

  private static List<Long> leaveAll(DelayQueue queue, long nowMs) {
    List<Long> left = new ArrayList<>();
    if (queue.mayHaveDue(nowMs)) {
      try (KeyValueIterator<Bytes, byte[]> due = queue.due(nowMs)) {
        while (due.hasNext()) {
          Bytes key = due.next().key;
          queue.leave(key);
          left.add(DueKey.dueMs(key));
        }
      }
      queue.readUpTo(DueKey.of(nowMs + 1, 0));
    }
    queue.note(nowMs);
    return left;
  }

  /**
   * Two queues that are read in turn would otherwise approach each other by a millisecond at a
   * time.
   */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void theFirstDueTimeIsThatOfAnEventAndNotOfThePlace(String kind) {
    opened(
        kind,
        store -> {
          DelayQueue queue = new DelayQueue(store);
          for (long dueMs : new long[] {100, 9_000, 8_000}) queue.add(DueKey.of(dueMs, 1), ROW);
          assertThat(queue.firstDueMs()).isEqualTo(100);
          assertThat(leaveAll(queue, 200)).containsExactly(100L);
          assertThat(queue.firstDueMs()).isEqualTo(8_000);
          queue.add(DueKey.of(7_000, 1), ROW);
          assertThat(queue.firstDueMs()).isEqualTo(7_000);
          assertThat(leaveAll(queue, 9_000)).hasSize(3);
          assertThat(queue.firstDueMs()).isEqualTo(Long.MAX_VALUE);
        });
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

  /** Wraps a store so that its changes are added to a list, in order, as to a changelog. */
  @SuppressWarnings("unchecked")
  private static KeyValueStore<Bytes, byte[]> logged(
      KeyValueStore<Bytes, byte[]> store, List<KeyValue<Bytes, byte[]>> changelog) {
    InvocationHandler handler =
        (proxy, method, given) -> {
          Object result = method.invoke(store, given);
          switch (method.getName()) {
            case "put" -> changelog.add(KeyValue.pair((Bytes) given[0], (byte[]) given[1]));
            case "delete" -> changelog.add(KeyValue.pair((Bytes) given[0], null));
            case "putIfAbsent" -> {
              if (result == null) changelog.add(KeyValue.pair((Bytes) given[0], (byte[]) given[1]));
            }
            default -> {}
          }
          return result;
        };
    Class<?>[] types = {KeyValueStore.class};
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(DelayQueueTest.class.getClassLoader(), types, handler);
  }

  /** Applies the rest of a changelog from which all tombstones have gone. */
  private static void readOnLate(
      KeyValueStore<Bytes, byte[]> store, List<KeyValue<Bytes, byte[]>> changelog) {
    for (KeyValue<Bytes, byte[]> each : changelog) {
      if (each.value != null) store.put(each.key, each.value);
    }
  }

  /**
   * Releases events while a standby reads along. The standby stops for as long as tombstones live,
   * reads on, and takes over.
   */
  @ParameterizedTest
  @CsvSource({"memory,1", "memory,2", "memory,3", "memory,4", "rocksdb,5"})
  void whoeverMissesTombstonesAndTakesOverLetsNothingGoTwice(String kind, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < (kind.equals("memory") ? 20 : 3); round++) {
      String title = kind + " " + seed + " " + round;
      List<KeyValue<Bytes, byte[]>> changelog = new ArrayList<>();
      List<Long> left = new ArrayList<>();
      int events = random.nextInt(1, 400);
      int readBefore = random.nextInt(events);
      long endMs = random.nextLong(1_000);
      int[] read = new int[1];
      reopened(
          kind,
          store -> {
            DelayQueue queue = new DelayQueue(logged(store, changelog));
            int offset = 0;
            for (long nowMs = 0; nowMs < endMs; nowMs += 1 + random.nextInt(50)) {
              while (offset * endMs < events * nowMs) {
                queue.add(DueKey.of(nowMs + 1 + random.nextInt(300), offset++), ROW);
                if (offset == readBefore) read[0] = changelog.size();
              }
              left.addAll(leaveAll(queue, nowMs));
            }
            while (offset < events) queue.add(DueKey.of(endMs + 1, offset++), ROW);
          });
      reopened(
          kind,
          standby -> {
            for (KeyValue<Bytes, byte[]> each : changelog.subList(0, read[0])) {
              if (each.value == null) standby.delete(each.key);
              else standby.put(each.key, each.value);
            }
            readOnLate(standby, changelog.subList(read[0], changelog.size()));
            DelayQueue queue = new DelayQueue(standby);
            assertThat(queue.waiting()).as(title).isEqualTo(events - left.size());
            left.addAll(leaveAll(queue, 5_000));
            assertThat(left).as(title).hasSize(events);
            try (KeyValueIterator<Bytes, byte[]> rows = standby.all()) {
              rows.next(); // the resume position
              assertThat(rows.hasNext()).as(title + ", what was missed is deleted").isFalse();
            }
          });
    }
  }

  /** Covers a former owner that stored no position and is gone, when no event leaves for long. */
  @Test
  void whoeverTakesOverNotesThePlaceThoughNothingLeaves() {
    List<KeyValue<Bytes, byte[]>> changelog = new ArrayList<>();
    opened(
        "memory",
        store -> {
          store.put(DueKey.of(100, 0), ROW); // of a version that stored no position in memory
          store.put(DueKey.of(9_000, 1), ROW);
          DelayQueue queue = new DelayQueue(logged(store, changelog));
          queue.note(50);
          assertThat(changelog).isNotEmpty();
          queue.add(DueKey.of(60, 2), ROW);
          assertThat(leaveAll(queue, 100)).containsExactly(60L, 100L);
          int before = changelog.size();
          queue.note(101);
          assertThat(changelog).as("nothing has left since").hasSize(before);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void whatWasMissedDoesNotComeBackIfTheClockGoesBack(String kind) {
    opened(
        kind,
        store -> {
          DelayQueue queue = new DelayQueue(store);
          queue.add(DueKey.of(400, 0), ROW);
          assertThat(leaveAll(queue, 500)).hasSize(1);
          store.put(DueKey.of(400, 0), ROW); // its tombstone is missed
          DelayQueue next = new DelayQueue(store);
          next.add(DueKey.of(300, 1), ROW);
          assertThat(leaveAll(next, 450)).containsExactly(300L);
          assertThat(next.waiting()).isZero();
        });
  }

  @Test
  void thePlaceThatAnEarlierBuildNotedIsRead() {
    opened(
        "rocksdb",
        store -> {
          store.put(Bytes.wrap(new byte[] {0}), DueKey.of(200, 0).get());
          store.put(DueKey.of(100, 0), ROW);
          store.put(DueKey.of(300, 1), ROW);
          assertThat(new DelayQueue(store).waiting()).isEqualTo(1);
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

  /** Versions that know one lane only accept only the first version of a position. */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void aStoreWithOtherLanesSaysSoForGood(String kind) {
    opened(
        kind,
        store -> {
          DelayQueue queue = new DelayQueue(store);
          queue.add(DueKey.of(100, 1), ROW);
          leaveAll(queue, 200);
          assertPlace(store, 1, DueKey.of(201, 0));
          DelayQueue.mark(store);
          assertPlace(store, 2, DueKey.of(201, 0));
          queue.add(DueKey.of(300, 2), ROW);
          leaveAll(queue, 400);
          assertPlace(store, 2, DueKey.of(401, 0));
        });
  }

  private static void assertPlace(KeyValueStore<Bytes, byte[]> store, int version, Bytes place) {
    byte[] row = store.get(DelayQueue.PLACE);
    assertThat(row[0]).isEqualTo((byte) version);
    assertThat(DelayQueue.place(row)).isEqualTo(place);
  }

  /** Checks that each lane finds its own rows and no others, though names of inputs begin alike. */
  @Test
  void lanesAreApart() {
    opened(
        "memory",
        store -> {
          List<DelayQueue.Lane> lanes =
              List.of(
                  DelayQueue.Lane.RELEASES,
                  DelayQueue.Lane.ofRetries(""),
                  DelayQueue.Lane.ofRetries("a-1-"),
                  DelayQueue.Lane.ofRetries("a-1-a-long-name-of-a-topic-0-"),
                  DelayQueue.Lane.ALLOWED,
                  DelayQueue.Lane.REJECTED,
                  DelayQueue.Lane.AWAITING_REDIS);
          List<DelayQueue> queues = new ArrayList<>();
          for (DelayQueue.Lane lane : lanes) {
            DelayQueue queue = new DelayQueue(store, lane, row -> {});
            queue.add(lane.key(100, 1), ROW);
            queue.add(lane.key(300, 1), ROW);
            queues.add(queue);
          }
          for (DelayQueue queue : queues) assertThat(leaveFirst(queue)).isOne();
          for (DelayQueue.Lane lane : lanes) {
            DelayQueue again = new DelayQueue(store, lane, row -> {});
            assertThat(again.waiting()).isOne();
            assertThat(again.firstDueMs()).isEqualTo(300);
          }
          assertThat(DelayQueue.Lane.inputsOfRetries(store))
              .containsExactly("", "a-1-", "a-1-a-long-name-of-a-topic-0-");
        });
  }

  private static int leaveFirst(DelayQueue queue) {
    int left = 0;
    try (KeyValueIterator<Bytes, byte[]> due = queue.due(200)) {
      for (; due.hasNext(); left++) queue.leave(due.next().key);
    }
    queue.readUpTo(queue.after(200));
    queue.note(200);
    return left;
  }
}
