package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdTableTest {
  private record Element(long id, int version) {}

  /** Grows and shrinks a table at random, with ids that collide, beside a map. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void holdsWhatAMapHolds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    IdTable<Element> table = new IdTable<>(Element::id);
    Map<Long, Element> map = new HashMap<>();
    for (int i = 0; i < 60_000; i++) {
      long id = random.nextLong(3_000) << random.nextInt(3);
      boolean grows = i / 10_000 % 2 == 0;
      if (random.nextInt(10) < (grows ? 8 : 2)) {
        Element element = new Element(id, i);
        table.add(element);
        map.put(id, element);
      } else {
        table.remove(id);
        map.remove(id);
      }
      long asked = random.nextLong(3_000);
      assertThat(table.get(asked)).isEqualTo(map.get(asked));
      assertThat(table.size()).isEqualTo(map.size());
    }
    assertThat(table.all()).containsExactlyInAnyOrderElementsOf(map.values());
    for (Element each : table.all()) table.remove(each.id());
    assertThat(table.all()).isEmpty();
  }
}
