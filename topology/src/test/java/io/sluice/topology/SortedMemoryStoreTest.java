package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Test;

class SortedMemoryStoreTest {
  private static final byte[] ROW = {1};

  private final SortedMemoryStore store = new SortedMemoryStore("test");

  private static List<Long> dues(KeyValueIterator<Bytes, byte[]> rows) {
    List<Long> dues = new ArrayList<>();
    while (rows.hasNext()) {
      assertThat(DueKey.dueMs(rows.peekNextKey())).isGreaterThanOrEqualTo(0);
      dues.add(DueKey.dueMs(rows.next().key));
    }
    return dues;
  }

  @Test
  void rangesHoldBothEndsAndWhatIsBetween() {
    SplittableRandom random = new SplittableRandom(7);
    TreeMap<Long, Boolean> expected = new TreeMap<>();
    for (int i = 0; i < 2_000; i++) {
      long due = random.nextLong(1_000);
      if (random.nextInt(3) > 0) {
        store.put(DueKey.of(due, 0), ROW);
        expected.put(due, true);
      } else {
        store.delete(DueKey.of(due, 0));
        expected.remove(due);
      }
      assertThat(store.approximateNumEntries()).isEqualTo(expected.size());
    }
    for (int i = 0; i < 200; i++) {
      long from = random.nextLong(1_000);
      long to = random.nextLong(1_000);
      assertThat(dues(store.range(DueKey.of(from, 0), DueKey.of(to, 0))))
          .containsExactlyElementsOf(
              from > to ? List.of() : expected.subMap(from, true, to, true).keySet());
    }
    assertThat(dues(store.all())).containsExactlyElementsOf(expected.keySet());
    assertThat(dues(store.range(null, DueKey.of(500, 0))))
        .containsExactlyElementsOf(expected.headMap(500L, true).keySet());
  }

  @Test
  void rowsMayGoWhileTheyAreRead() {
    for (int i = 0; i < 1_000; i++) store.put(DueKey.of(i, 0), ROW);
    KeyValueIterator<Bytes, byte[]> rows = store.range(DueKey.of(0, 0), DueKey.of(899, 0));
    int read = 0;
    for (; rows.hasNext(); read++) store.delete(rows.next().key);
    assertThat(read).isEqualTo(900);
    assertThat(store.approximateNumEntries()).isEqualTo(100);
  }
}
