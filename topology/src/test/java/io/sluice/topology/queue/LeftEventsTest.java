package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.TestScale;
import io.sluice.topology.store.HeapStores;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the stored numbers of events that have left, against a set. */
class LeftEventsTest {
  private KeyValueStore<Bytes, byte[]> store;

  @BeforeEach
  void open() {
    store =
        Stores.keyValueStoreBuilder(
                HeapStores.sorted("waiting"), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingDisabled()
            .withCachingDisabled()
            .build();
    store.init(new MockProcessorContext<>().getStateStoreContext(), store);
  }

  @Test
  void numbersAreKnownAfterARestart() {
    SplittableRandom random = new SplittableRandom(TestScale.seed());
    TreeSet<Long> waiting = new TreeSet<>();
    TreeSet<Long> gone = new TreeSet<>();
    LeftEvents left = new LeftEvents(store);
    long next = 0;
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(100) < 52) {
        waiting.add(next++);
      } else if (!waiting.isEmpty()) {
        long about = waiting.first() + random.nextInt(1 + (int) (next - waiting.first()));
        long number = Optional.ofNullable(waiting.floor(about)).orElseThrow();
        waiting.remove(number);
        gone.add(number);
        left.add(number);
      }
      if (random.nextInt(20) > 0) continue;
      left.write(waiting.isEmpty() ? next : waiting.first());
      if (random.nextInt(50) > 0) continue;
      left = new LeftEvents(store);
      for (long number = 0; number < next; number++)
        assertThat(left.contains(number)).isEqualTo(gone.contains(number));
      long last = waiting.isEmpty() ? -1 : waiting.last();
      assertThat(Math.max(left.next(), last + 1)).isEqualTo(next);
    }
    assertThat(store.approximateNumEntries()).isLessThan(100);
  }
}
