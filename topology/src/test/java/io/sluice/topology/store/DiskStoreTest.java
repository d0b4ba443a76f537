package io.sluice.topology.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.TestScale;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow") // writes to RocksDB on disk
class DiskStoreTest {
  private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);

  @TempDir private Path folder;
  private final List<String> calls = new ArrayList<>();
  private KeyValueStore<Bytes, byte[]> disk;
  private DiskStore store;
  private BatchingStateRestoreCallback restoring;

  @BeforeEach
  void open() {
    disk = Stores.persistentKeyValueStore("limits").get();
    store = new DiskStore(noting(disk));
    Properties properties = new Properties();
    properties.put("application.id", "disk");
    properties.put("bootstrap.servers", "none:1");
    MockProcessorContext<Object, Object> context =
        new MockProcessorContext<>(properties, new TaskId(0, 0), folder.toFile());
    store.init(registering(context.getStateStoreContext()), store);
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** Wraps the disk so that calls that change it are noted. */
  @SuppressWarnings("unchecked")
  private KeyValueStore<Bytes, byte[]> noting(KeyValueStore<Bytes, byte[]> noted) {
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().matches("put.*|delete|commit")) calls.add(method.getName());
              return method.invoke(noted, arguments);
            });
  }

  /** Wraps the context so that the callback is kept that the store registers. */
  private StateStoreContext registering(StateStoreContext context) {
    return (StateStoreContext)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {StateStoreContext.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("register")) {
                restoring = (BatchingStateRestoreCallback) arguments[1];
              }
              return method.invoke(context, arguments);
            });
  }

  private static Bytes key(long number) {
    return Bytes.wrap(("user-" + number).getBytes(UTF_8));
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private void commit(long offset) {
    store.commit(Map.of(CHANGELOG, offset));
  }

  private void reopen() {
    store.close();
    open();
  }

  private static byte[] randomBytes(SplittableRandom random, int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<KeyValue<Bytes, byte[]>> read(KeyValueIterator<Bytes, byte[]> rows) {
    List<KeyValue<Bytes, byte[]>> read = new ArrayList<>();
    try (rows) {
      rows.forEachRemaining(read::add);
    }
    return read;
  }

  private void assertHolds(NavigableMap<Bytes, byte[]> expected, Bytes from, Bytes to) {
    List<KeyValue<Bytes, byte[]>> read =
        read(from == null && to == null ? store.all() : store.range(from, to));
    assertThat(read).extracting(row -> row.key).containsExactlyElementsOf(expected.keySet());
    assertThat(read)
        .allSatisfy(row -> assertThat(row.value).containsExactly(expected.get(row.key)));
  }

  static LongStream seeds() {
    return TestScale.seeds(1, 10);
  }

  /** Uses so many rows that they are written many times; some of them are large. */
  @ParameterizedTest
  @MethodSource("seeds")
  void holdsWhatAMapHolds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Bytes[] keys = new Bytes[30_000];
    for (int i = 0; i < keys.length; i++) keys[i] = Bytes.wrap(randomBytes(random, 20));
    TreeMap<Bytes, byte[]> expected = new TreeMap<>();
    int steps = TestScale.of(35_000, 100_000);
    for (int i = 1; i <= steps; i++) {
      Bytes key = keys[random.nextInt(keys.length)];
      byte[] value = randomBytes(random, random.nextInt(20) == 0 ? 5_000 : 30);
      switch (random.nextInt(8)) {
        case 0, 1 -> assertThat(store.delete(key)).isEqualTo(expected.remove(key));
        case 2 -> {
          assertThat(store.putIfAbsent(key, value)).isEqualTo(expected.putIfAbsent(key, value));
        }
        case 3 -> assertThat(store.get(key)).as("seed %d", seed).isEqualTo(expected.get(key));
        default -> {
          store.put(key, value);
          expected.put(key, value);
        }
      }
      assertThat(store.get(key)).as("seed %d, step %d", seed, i).isEqualTo(expected.get(key));
      if (random.nextInt(5_000) == 0) commit(i);
      if (random.nextInt(5_000) == 0) {
        Bytes other = keys[random.nextInt(keys.length)];
        Bytes from = key.compareTo(other) < 0 ? key : other;
        Bytes to = from == key ? other : key;
        assertHolds(expected.subMap(from, true, to, true), from, to);
        assertHolds(expected.tailMap(from, true), from, null);
      }
      if (i % 30_000 == 0) {
        commit(i);
        reopen();
      }
    }
    for (Bytes key : keys) assertThat(store.get(key)).isEqualTo(expected.get(key));
    assertHolds(expected, null, null);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aWalkShowsWhatStaysOnceAndInOrderWhateverChangesAndIsWritten(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeSet<Bytes> staying = new TreeSet<>();
    for (int i = 0; i < 6_000; i++) {
      staying.add(key(i));
      store.put(key(i), number(i));
      if (random.nextInt(2_000) == 0) commit(i);
    }
    for (int round = 0; round < 2; round++) {
      List<Bytes> shown = new ArrayList<>();
      try (KeyValueIterator<Bytes, byte[]> rows = store.all()) {
        while (rows.hasNext()) {
          Bytes next = rows.peekNextKey();
          KeyValue<Bytes, byte[]> row = rows.next();
          assertThat(next).isEqualTo(row.key);
          shown.add(row.key);
          if (random.nextInt(500) == 0) commit(random.nextInt(1_000));
          Bytes some = key(random.nextInt(6_000));
          store.put(some, store.get(some));
          Bytes passing = key(10_000 + random.nextInt(20_000));
          if (random.nextBoolean()) store.put(passing, number(1));
          else store.delete(passing);
        }
      }
      assertThat(shown).as("seed %d", seed).isSorted().doesNotHaveDuplicates();
      assertThat(shown).as("seed %d", seed).containsAll(staying);
    }
  }

  @Test
  void anotherThreadNeverReadsWhatWasBefore() {
    AtomicBoolean ended = new AtomicBoolean();
    store.put(key(0), number(0));
    CompletableFuture<Long> reading = CompletableFuture.supplyAsync(() -> readUntil(ended));
    int writes = TestScale.of(200_000, 1_000_000);
    for (int i = 1; i < writes && !reading.isDone(); i++) {
      if (i % 1_000 == 0) store.put(key(0), number(i));
      if (i % 5_000 == 0) store.get(key(0));
      store.put(key(1 + i % 100_000), number(i));
      if (i % 3_001 == 0) commit(i);
    }
    ended.set(true);
    assertThat(reading.join()).isPositive();
  }

  private long readUntil(AtomicBoolean ended) {
    long last = 0;
    long found = 0;
    for (; !ended.get(); found++) {
      byte[] value = store.get(key(0));
      assertThat(value).isNotNull();
      long number = ByteBuffer.wrap(value).getLong();
      assertThat(number).isGreaterThanOrEqualTo(last);
      last = number;
    }
    return found;
  }

  /** A crash between the two would otherwise leave an offset whose rows are missing. */
  @Test
  void rowsAreWrittenBeforeTheOffset() {
    store.put(key(1), number(1));
    assertThat(calls).isEmpty();
    commit(7);
    assertThat(calls).containsExactly("putAll", "commit");
    assertThat(disk.get(key(1))).containsExactly(number(1));
    commit(8);
    assertThat(calls).containsExactly("putAll", "commit", "commit");
  }

  /** Streams reads the changelog from the offset on. */
  @Test
  void whatIsNotCommittedIsNotThereAfterClosing() {
    store.put(key(1), number(1));
    store.put(key(2), number(2));
    commit(7);
    store.put(key(1), number(11));
    store.delete(key(2));
    reopen();
    assertThat(store.committedOffset(CHANGELOG)).isEqualTo(7);
    assertThat(store.get(key(1))).containsExactly(number(1));
    assertThat(store.get(key(2))).containsExactly(number(2));
  }

  /** Covers a task that becomes a standby, while another instance changes its rows. */
  @Test
  void whatIsRestoredTakesThePlaceOfWhatIsOnTheHeap() {
    store.put(key(1), number(1));
    store.put(key(2), number(2));
    store.put(key(3), number(3));
    commit(7);
    restoring.restoreAll(
        List.of(
            KeyValue.pair(key(1).get(), number(11)),
            KeyValue.pair(key(2).get(), null),
            KeyValue.pair(key(4).get(), number(4))));
    assertThat(store.get(key(1))).containsExactly(number(11));
    assertThat(store.get(key(2))).isNull();
    assertThat(store.get(key(3))).containsExactly(number(3));
    assertThat(store.get(key(4))).containsExactly(number(4));
  }

  @Test
  void theThreadThatChangesRowsReadsARowFromTheDiskOnce() {
    store.put(key(1), number(1));
    commit(7);
    reopen();
    store.put(key(2), number(2));
    CompletableFuture.supplyAsync(() -> store.get(key(1))).join();
    disk.put(key(1), number(11));
    assertThat(store.get(key(1))).containsExactly(number(11));
    disk.put(key(1), number(12));
    assertThat(store.get(key(1))).containsExactly(number(11));
  }

  @Test
  void theHeapHoldsSoManyRows() {
    RecentRows recent = new RecentRows();
    int rows = 7 * RecentRows.MOST_KEPT / 4; // too few to reach the limit of bytes
    int most = 0;
    for (int i = 0; i < rows; i++) {
      recent.put(key(i).get(), number(i));
      if (recent.areTooMany()) recent.writeTo(written -> {});
      most = Math.max(most, recent.changed());
    }
    int held = 0;
    for (int i = 0; i < rows; i++) {
      if (recent.find(key(i).get()) != null) held++;
    }
    assertThat(most).isEqualTo(RecentRows.MOST_CHANGED - 1);
    assertThat(held).isBetween(1, RecentRows.MOST_KEPT + RecentRows.MOST_CHANGED);
  }

  @Test
  void ofLargeRowsTheHeapHoldsSoManyBytes() {
    RecentRows recent = new RecentRows();
    int bytes = 4_000;
    long most = 0;
    for (int i = 0; i < 10_000; i++) {
      recent.put(key(i).get(), new byte[bytes]);
      if (recent.areTooMany()) recent.writeTo(rows -> {});
      most = Math.max(most, (long) recent.changed() * bytes);
    }
    long held = 0;
    for (int i = 0; i < 10_000; i++) if (recent.find(key(i).get()) != null) held += bytes;
    assertThat(most).isBetween(1L, RecentRows.MOST_CHANGED_BYTES);
    assertThat(held).isBetween(1L, RecentRows.MOST_KEPT_BYTES + RecentRows.MOST_CHANGED_BYTES);
  }
}
