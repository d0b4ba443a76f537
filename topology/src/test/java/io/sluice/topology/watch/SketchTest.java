package io.sluice.topology.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sluice.topology.watch.Top.Heavy;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the approximate top keys against exact counts. */
class SketchTest {
  private static final int EVENTS = 200_000;
  private static final String LONG = "x".repeat(10_000);

  private final Sketch sketch = new Sketch();
  private final Map<String, Long> exact = new HashMap<>();

  private void count(String key) {
    sketch.count(key, 7);
    exact.merge(KeyText.kept(key), 1L, Long::sum);
  }

  /** Returns a random key; the key of rank r has a frequency of about 1/r. */
  private static String skewed(SplittableRandom random, int keys) {
    return "user-" + (int) Math.pow(keys, random.nextDouble());
  }

  private void boundsHold() {
    Top top = sketch.copy(7).top();
    long events = exact.values().stream().mapToLong(each -> each).sum();
    assertThat(top.events()).isEqualTo(events);
    assertThat(top.othersAtMost()).isLessThanOrEqualTo(events / Sketch.CAPACITY);
    Map<String, Heavy> listed = new HashMap<>();
    for (Heavy each : top.keys()) assertThat(listed.put(each.key(), each)).isNull();
    exact.forEach(
        (key, count) -> {
          Heavy heavy = listed.remove(key);
          if (heavy == null) assertThat(count).as(key).isLessThanOrEqualTo(top.othersAtMost());
          else assertThat(count).as(key).isBetween(heavy.atLeast(), heavy.atMost());
        });
    assertThat(listed).as("keys that nobody counted").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void boundsHoldForAnyMixOfKeys(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int keys = 1 << random.nextInt(4, 18);
    for (int i = 0; i < EVENTS; i++) {
      boolean even = random.nextInt(8) == 0;
      count(even ? "even-" + random.nextInt(keys) : skewed(random, keys));
    }
    boundsHold();
  }

  @Test
  void fewKeysAreCountedExactly() {
    for (int i = 0; i < EVENTS; i++) count("user-" + i % Sketch.CAPACITY);
    assertThat(sketch.copy(7).top().keys())
        .hasSize(Sketch.CAPACITY)
        .allMatch(each -> each.atLeast() == each.atMost());
    boundsHold();
  }

  @Test
  void oneAmongAllDifferentKeysIsFirst() {
    for (int i = 0; i < EVENTS; i++) count(i % 50 == 0 ? "ada" : "user-" + i);
    assertThat(sketch.copy(7).top().first(1).keys().get(0).key()).isEqualTo("ada");
    boundsHold();
  }

  @Test
  void longKeysAreToldApartAndKeptShort() {
    IntFunction<String> key = i -> LONG + i + LONG;
    for (int i = 0; i < 2_000; i++) count(key.apply(i % 5));
    assertThat(sketch.copy(7).top().keys())
        .hasSize(5)
        .allMatch(Heavy::isCut)
        .allMatch(each -> each.key().length() < 120)
        .allMatch(each -> each.atLeast() == 400);
    for (int i = 0; i < 2_000; i++) count(key.apply(i));
    boundsHold();
  }

  @Test
  void oddKeysAreKeys() {
    String pair = "\uD83D\uDE00";
    List<String> odd =
        List.of(
            "", " ", "\u0000", "|", pair.substring(0, 1), pair.repeat(60), "a".repeat(99) + pair);
    for (String each : odd) count(each);
    assertThat(sketch.copy(7).top().keys())
        .extracting(Heavy::key)
        .containsExactlyInAnyOrderElementsOf(odd.stream().map(KeyText::kept).toList());
    assertThat(KeyText.kept("a".repeat(99) + pair)).startsWith("a".repeat(99) + "…");
  }

  @Test
  void anotherStretchOfTimeForgetsTheOneBefore() {
    for (int i = 0; i < 1_000; i++) sketch.count("user-" + i, 7);
    sketch.count("ada", 13);
    assertThat(sketch.copy(7).top().keys()).isEmpty();
    assertThat(sketch.copy(13).top().keys()).containsExactly(new Heavy("ada", 1, 1));
  }

  @Test
  void countingLeavesNoGarbage() {
    String[] keys = IntStream.range(0, 10_000).mapToObj(i -> "user-" + i).toArray(String[]::new);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    for (int i = 0; i < EVENTS; i++) sketch.count(keys[i % keys.length], 7);
    long before = threads.getThreadAllocatedBytes(id);
    for (int i = 0; i < EVENTS; i++) sketch.count(keys[i % keys.length], i / 1_000);
    assertThat(threads.getThreadAllocatedBytes(id) - before).isLessThan(EVENTS / 10);
  }

  @Test
  void aCopyIsWholeWhileItIsCounted() throws InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    Thread counting =
        new Thread(
            () -> {
              SplittableRandom random = new SplittableRandom(1);
              while (!ended.get()) sketch.count(skewed(random, 100_000), 7);
            });
    counting.start();
    try {
      long last = 0;
      for (int copies = 0; copies < 5_000 || last < 10 * EVENTS; copies++) {
        Sketch.Copy copy = sketch.copy(7);
        // A new key takes over the count of the key that it replaces, so no event is ever missing.
        assertThat(copy.sum()).isEqualTo(copy.total());
        last = copy.total();
      }
    } finally {
      ended.set(true);
      counting.join();
    }
  }
}
