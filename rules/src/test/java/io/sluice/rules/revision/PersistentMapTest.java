package io.sluice.rules.revision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {
  private record Value(String key, int number) implements PersistentMap.Keyed {}

  private static final Value NONE = new Value("", 0);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void isAHashMapOfWhichOldCopiesStay(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PersistentMap<Value> map = PersistentMap.empty();
    Map<String, Value> expected = new HashMap<>();
    PersistentMap<Value> old = map;
    Map<String, Value> oldExpected = Map.of();
    for (int i = 0; i < 20_000; i++) {
      if (i == 10_000) {
        old = map;
        oldExpected = new HashMap<>(expected);
      }
      String key = random.nextBoolean() ? "k" + random.nextInt(900) : colliding(random);
      if (random.nextInt(5) < 2) {
        map = map.without(key);
        expected.remove(key);
      } else {
        Value value = new Value(key, i);
        map = map.with(value);
        expected.put(key, value);
      }
      assertThat(map.get(key, NONE)).isEqualTo(expected.getOrDefault(key, NONE));
      assertThat(map.size()).isEqualTo(expected.size());
    }
    assertHolds(map, expected);
    assertHolds(old, oldExpected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void manyAtOnceAreAsMuchAsOneAfterAnother(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PersistentMap<Value> map = PersistentMap.empty();
    Map<String, Value> expected = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      PersistentMap<Value> old = map;
      Map<String, Value> oldExpected = new HashMap<>(expected);
      List<Value> more = new ArrayList<>();
      int number = random.nextInt(1 << random.nextInt(8));
      for (int j = 0; j < number; j++) {
        String key = random.nextBoolean() ? "k" + random.nextInt(9_000) : colliding(random);
        more.add(new Value(key, i * 1_000 + j));
      }
      map = map.with(more);
      for (Value each : more) expected.put(each.key(), each);
      assertThat(map.size()).isEqualTo(expected.size());
      assertHolds(map, expected);
      assertHolds(old, oldExpected);
    }
  }

  /** Returns a key with the same hash as all other results: Aa and BB have one hash. */
  private static String colliding(SplittableRandom random) {
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < 4; i++) key.append(random.nextBoolean() ? "Aa" : "BB");
    return key.toString();
  }

  private static void assertHolds(PersistentMap<Value> map, Map<String, Value> expected) {
    Map<String, Value> found = new HashMap<>();
    map.forEach(each -> found.put(each.key(), each));
    assertThat(found).isEqualTo(expected);
    expected.forEach((key, value) -> assertThat(map.find(key)).contains(value));
  }
}
