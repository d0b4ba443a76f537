package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTableTest {
  /** With it, what is in the first four bytes of a key does not reach the hash. */
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
}
