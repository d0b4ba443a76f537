package io.sluice.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
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

  private static Bytes key(long number) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  private static long number(Bytes key) {
    return ByteBuffer.wrap(key.get()).getLong();
  }

  private static List<Long> dues(KeyValueIterator<Bytes, byte[]> rows) {
    List<Long> dues = new ArrayList<>();
    while (rows.hasNext()) {
      assertThat(number(rows.peekNextKey())).isGreaterThanOrEqualTo(0);
      dues.add(number(rows.next().key));
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
        store.put(key(due), ROW);
        expected.put(due, true);
      } else {
        store.delete(key(due));
        expected.remove(due);
      }
      assertThat(store.approximateNumEntries()).isEqualTo(expected.size());
    }
    for (int i = 0; i < 200; i++) {
      long from = random.nextLong(1_000);
      long to = random.nextLong(1_000);
      assertThat(dues(store.range(key(from), key(to))))
          .containsExactlyElementsOf(
              from > to ? List.of() : expected.subMap(from, true, to, true).keySet());
    }
    assertThat(dues(store.all())).containsExactlyElementsOf(expected.keySet());
    assertThat(dues(store.range(null, key(500))))
        .containsExactlyElementsOf(expected.headMap(500L, true).keySet());
  }

  @Test
  void rowsMayGoWhileTheyAreRead() {
    for (int i = 0; i < 1_000; i++) store.put(key(i), ROW);
    KeyValueIterator<Bytes, byte[]> rows = store.range(key(0), key(899));
    int read = 0;
    for (; rows.hasNext(); read++) store.delete(rows.next().key);
    assertThat(read).isEqualTo(900);
    assertThat(store.approximateNumEntries()).isEqualTo(100);
  }
}
