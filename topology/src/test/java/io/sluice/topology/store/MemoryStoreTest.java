package io.sluice.topology.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.TestScale;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MemoryStoreTest {
  private final MemoryStore store = new MemoryStore("test");

  private static Bytes key(long number) {
    return Bytes.wrap(("user-" + number).getBytes(UTF_8));
  }

  private static byte[] randomBytes(SplittableRandom random, int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<KeyValue<Bytes, byte[]>> read(KeyValueIterator<Bytes, byte[]> rows) {
    List<KeyValue<Bytes, byte[]>> read = new ArrayList<>();
    rows.forEachRemaining(read::add);
    return read;
  }

  static LongStream seeds() {
    return TestScale.seeds(1, 10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void holdsWhatAMapHolds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Bytes[] keys = new Bytes[500];
    for (int i = 0; i < keys.length; i++) keys[i] = Bytes.wrap(randomBytes(random, 20));
    Map<Bytes, byte[]> expected = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      Bytes key = keys[random.nextInt(keys.length)];
      byte[] value = randomBytes(random, 10);
      byte[] before =
          switch (random.nextInt(4)) {
            case 0 -> {
              assertThat(store.delete(key)).as("seed %d", seed).isEqualTo(expected.get(key));
              yield expected.remove(key);
            }
            case 1 -> {
              assertThat(store.putIfAbsent(key, value)).isEqualTo(expected.get(key));
              yield expected.putIfAbsent(key, value);
            }
            default -> {
              store.put(key, value);
              yield expected.put(key, value);
            }
          };
      assertThat(store.get(key)).as("seed %d after %s", seed, before).isEqualTo(expected.get(key));
      assertThat(store.approximateNumEntries()).isEqualTo(expected.size());
    }
    for (Bytes key : keys) assertThat(store.get(key)).isEqualTo(expected.get(key));
    Map<Bytes, byte[]> all = new HashMap<>();
    for (KeyValue<Bytes, byte[]> row : read(store.all())) all.put(row.key, row.value);
    assertThat(all).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @Test
  void rangesAreInOrderAndHoldBothEnds() {
    TreeMap<Bytes, Boolean> expected = new TreeMap<>();
    for (int i = 0; i < 1_000; i++) {
      store.put(key(i), new byte[1]);
      expected.put(key(i), true);
    }
    assertThat(read(store.range(key(200), key(700))))
        .extracting(row -> row.key)
        .containsExactlyElementsOf(expected.subMap(key(200), true, key(700), true).keySet());
    assertThat(read(store.range(null, null)))
        .extracting(row -> row.key)
        .containsExactlyElementsOf(expected.keySet());
  }

  @Test
  void whatIsReadIsNotChangedByWhatIsWrittenLater() {
    byte[] given = {1};
    store.put(key(0), given);
    byte[] read = store.get(key(0));
    given[0] = 2;
    store.put(key(0), new byte[] {3});
    assertThat(read).containsExactly(1);
    read[0] = 4;
    assertThat(store.get(key(0))).containsExactly(3);
  }

  /** Covers the sweep of idle keys, which deletes a few rows at a time. */
  @Test
  void rowsMayGoWhileAllAreWalkedThrough() {
    for (int i = 0; i < 10_000; i++) store.put(key(i), new byte[] {(byte) (i % 3)});
    Set<Bytes> left = new HashSet<>();
    for (KeyValueIterator<Bytes, byte[]> rows = store.all(); rows.hasNext(); ) {
      KeyValue<Bytes, byte[]> row = rows.next();
      if (row.value[0] == 0) store.delete(row.key);
      else left.add(row.key);
    }
    assertThat(store.approximateNumEntries()).isEqualTo(6_666);
    assertThat(left).hasSize(6_666);
    for (Bytes key : left) assertThat(store.get(key)).isNotNull();
  }

  @Test
  void oneWalkIsEnoughToEmptyIt() {
    for (int round = 0; round < 1_000; round++) {
      for (int i = 0; i < 30; i++) store.put(key(30 * round + i), new byte[1]);
      for (KeyValueIterator<Bytes, byte[]> rows = store.all(); rows.hasNext(); ) {
        store.delete(rows.next().key);
      }
      assertThat(store.approximateNumEntries()).as("round %d", round).isZero();
    }
  }

  /** Covers a flood and its end: the iteration starts anew in a table of another size. */
  @ParameterizedTest
  @MethodSource("seeds")
  void aWalkShowsAllThatIsThereThroughoutWhateverComesAndGoes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 100; round++) {
      int staying = random.nextInt(200);
      int passing = random.nextInt(10_000);
      boolean before = random.nextBoolean();
      for (int i = 0; i < staying; i++) store.put(key(i), new byte[] {(byte) i});
      for (int i = 0; before && i < passing; i++) store.put(key(1_000 + i), new byte[1]);
      Set<Bytes> shown = new HashSet<>();
      int pause = random.nextInt(staying + 1);
      for (KeyValueIterator<Bytes, byte[]> rows = store.all(); rows.hasNext(); pause--) {
        shown.add(rows.next().key);
        if (pause == 0) change(passing, !before, random);
      }
      for (int i = 0; i < staying; i++) {
        assertThat(shown).as("seed %d, round %d", seed, round).contains(key(i));
        assertThat(store.get(key(i))).containsExactly((byte) i);
      }
      store.close();
    }
  }

  private void change(int passing, boolean come, SplittableRandom random) {
    int left = random.nextInt(2) == 0 ? 0 : passing / 10;
    for (int i = left; i < passing; i++) store.put(key(1_000 + i), come ? new byte[1] : null);
  }
}
