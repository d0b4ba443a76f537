package io.sluice.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.filter.FilterSize;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.Rows;
import io.sluice.testing.TestScale;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the hash-based store with blocks of Bloom filters. */
class BlockPagesTest {
  private static final int PAIRS = TestScale.of(100_000, 200_000);
  private static final long PERIOD = 30L * 24 * 3_600_000_000L;
  private static final long START = 19_005L * 24 * 3_600_000_000L;

  private final MemoryStore store = new MemoryStore("test");

  private static byte[] block(SplittableRandom random) {
    byte[] block = new byte[64];
    random.nextBytes(block);
    return block;
  }

  private static Bytes key(SplittableRandom random) {
    byte[] key = {(byte) (2 + random.nextInt(2)), 0, 'a', (byte) random.nextInt(3), 0};
    key[4] = (byte) random.nextInt(256);
    return Bytes.wrap(key);
  }

  private static Map<Bytes, byte[]> read(KeyValueIterator<Bytes, byte[]> rows) {
    Map<Bytes, byte[]> read = new HashMap<>();
    rows.forEachRemaining(row -> read.put(row.key, row.value));
    return read;
  }

  static LongStream seeds() {
    return TestScale.seeds(1, 10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void holdsWhatAMapHolds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Bytes, byte[]> expected = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      Bytes key = key(random);
      byte[] value = block(random);
      if (random.nextInt(3) == 0) {
        assertThat(store.delete(key)).as("seed %d", seed).isEqualTo(expected.remove(key));
      } else {
        store.put(key, value);
        expected.put(key, value);
      }
      Bytes other = key(random);
      assertThat(store.get(other)).as("seed %d", seed).isEqualTo(expected.get(other));
      assertThat(store.approximateNumEntries()).isEqualTo(expected.size());
    }
    assertThat(read(store.all()))
        .as("seed %d", seed)
        .usingRecursiveComparison()
        .isEqualTo(expected);
    assertThat(read(store.range(null, null)).keySet()).isEqualTo(expected.keySet());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aWalkShowsAllThatIsThereAllTheWhile(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Set<Bytes> stays = new HashSet<>();
    for (int i = 0; i < 600; i++) {
      Bytes key = key(random);
      store.put(key, block(random));
      stays.add(key);
    }
    Set<Bytes> seen = new HashSet<>();
    for (KeyValueIterator<Bytes, byte[]> all = store.all(); all.hasNext(); ) {
      KeyValue<Bytes, byte[]> row = all.next();
      seen.add(row.key);
      Bytes gone = key(random);
      store.delete(gone);
      stays.remove(gone);
      store.put(key(random), block(random));
    }
    assertThat(seen).as("seed %d", seed).containsAll(stays);
  }

  private record StoredRows(MemoryStore store) implements Rows {
    @Override
    public byte[] get(byte[] key) {
      return store.get(Bytes.wrap(key));
    }

    @Override
    public void put(byte[] key, byte[] value) {
      store.put(Bytes.wrap(key), value);
    }

    @Override
    public void delete(byte[] key) {
      store.delete(Bytes.wrap(key));
    }
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      runtime.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private static boolean admits(RowMeter meter, Rule rule, String key, long nowMicros) {
    Arrival arrival = new Arrival("", 1, nowMicros);
    return meter.meter(arrival, List.of(new Bucket(rule, key))).admitted();
  }

  /** Measures a period and a quarter, and then a restored copy. */
  @Tag("full") // measures memory, with 100,000 pairs and more
  @Test
  void aPairOfTheCapacityTakesAtMostFourBytes() {
    FilterSize size = new FilterSize(PAIRS, 0.001);
    Rule rule = Rule.policing("offer", new Quota(1, PERIOD, 1), Algorithm.BLOOM).with(size);
    Conditions committedTogether = new Conditions(1, false, now -> now, limit -> {});
    RowMeter meter = new RowMeter(new StoredRows(store), committedTogether);
    admits(meter, rule, "warm", START);
    long before = usedBytes();
    int pairs = PAIRS + PAIRS / 4;
    for (int i = 0; i < pairs; i++) admits(meter, rule, "p" + i, START + i * (PERIOD / PAIRS));
    double bytes = (double) (usedBytes() - before) / PAIRS;

    MemoryStore restored = new MemoryStore("restored");
    long beforeRestoring = usedBytes();
    store.all().forEachRemaining(row -> restored.put(row.key, row.value));
    double again = (double) (usedBytes() - beforeRestoring) / PAIRS;
    System.out.printf("%d pairs: %.2f bytes each, %.2f when restored%n", PAIRS, bytes, again);
    assertThat(bytes).isBetween(3.0, 4.0);
    assertThat(again).isBetween(3.0, 4.0);
    RowMeter there = new RowMeter(new StoredRows(restored), committedTogether);
    long last = START + PERIOD * 5 / 4 - 1;
    for (int i = 0; i < 1_000; i++) {
      assertThat(admits(there, rule, "p" + (PAIRS / 4 + i), last)).isFalse();
      assertThat(meter.probe(new Arrival("", 0, last), List.of(new Bucket(rule, "n" + i))).settle())
          .isEqualTo(
              there.probe(new Arrival("", 0, last), List.of(new Bucket(rule, "n" + i))).settle());
    }
  }
}
