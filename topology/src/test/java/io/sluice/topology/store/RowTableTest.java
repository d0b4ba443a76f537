package io.sluice.topology.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTableTest {
  /** Secret with which the first four bytes of a key do not reach the hash. */
  private static final long NO_SECRET = 1;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void keysThatShareAHashAreKeptApart(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RowTable table = new RowTable(NO_SECRET);
    Map<String, byte[]> expected = new HashMap<>();
    for (int i = 0; i < 5_000; i++) {
      String key = Integer.toString(random.nextInt(200));
      byte[] value = {(byte) i};
      if (random.nextInt(3) == 0) {
        assertThat(table.remove(key.getBytes(UTF_8))).isEqualTo(expected.remove(key));
      } else {
        table.put(key.getBytes(UTF_8), value);
        expected.put(key, value);
      }
      assertThat(table.size()).isEqualTo(expected.size());
    }
    for (int i = 0; i < 200; i++) {
      String key = Integer.toString(i);
      assertThat(table.get(key.getBytes(UTF_8)))
          .as("seed %d, %s", seed, key)
          .isEqualTo(expected.get(key));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void placesComeAndGoWithTheRows(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RowTable table = new RowTable();
    int least = table.places();
    Map<Integer, byte[]> expected = new HashMap<>();
    for (int most : new int[] {100_000, 300, 20_000, 0}) {
      while (expected.size() < most) put(table, expected, random.nextInt());
      for (Integer key : List.copyOf(expected.keySet())) {
        if (expected.size() <= most) break;
        assertThat(table.remove(bytes(key))).isEqualTo(expected.remove(key));
      }
      assertThat(table.size()).isEqualTo(most);
      assertThat(table.places()).isBetween(2 * most, Math.max(least, 8 * most));
      expected.forEach((key, value) -> assertThat(table.get(bytes(key))).isEqualTo(value));
    }
  }

  /** Rows that an iteration has not reached yet must not be crowded in the remaining places. */
  @Test
  void aWalkThatTakesRowsAwayLeavesTheOthersApart() {
    RowTable table = new RowTable();
    for (int i = 0; i < 500_000; i++) table.put(bytes(i), new byte[1]);
    int longest = 0;
    for (int place = table.places() - 1; table.size() > 5_000; place = Math.max(0, place - 1)) {
      int before = table.places();
      if (table.isUsed(place)) table.remove(table.key(place));
      if (table.places() < before) longest = Math.max(longest, longestRun(table));
      place = Math.min(place, table.places());
    }
    assertThat(longest).isBetween(2, 200);
  }

  private static int longestRun(RowTable table) {
    int longest = 0;
    int run = 0;
    for (int place = 0; place < table.places(); place++) {
      run = table.isUsed(place) ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  private static void put(RowTable table, Map<Integer, byte[]> expected, int key) {
    table.put(bytes(key), bytes(~key));
    expected.put(key, bytes(~key));
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
