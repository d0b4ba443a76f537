package io.sluice.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.filter.Filters;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads rows in one thread while another one changes, moves and deletes rows. */
class ReadWhileChangingTest {
  private static final int KEYS = 4_000;
  private static final int ROUNDS = 2_000_000;

  private final MemoryStore store = new MemoryStore("limits");
  private final AtomicBoolean ended = new AtomicBoolean();

  /** All bytes of a value are equal, so that a mixture of two values is noticed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRowIsReadAsItWasWrittenAndOneThatStaysIsAlwaysFound(boolean blocks) {
    Bytes steady = key(blocks, -1);
    store.put(steady, value(blocks, 0));
    CompletableFuture<Long> reading = CompletableFuture.supplyAsync(() -> read(blocks, steady));
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < ROUNDS && !reading.isDone(); i++) {
      int some = random.nextInt(i / 10_000 % 2 == 0 ? KEYS : KEYS / 16); // table grows and shrinks
      if (random.nextInt(2) == 0) store.put(key(blocks, some), value(blocks, i));
      else store.delete(key(blocks, random.nextInt(KEYS)));
      if (i % 7 == 0) store.put(steady, value(blocks, i));
    }
    ended.set(true);
    assertThat(reading.join()).isPositive();
  }

  private long read(boolean blocks, Bytes steady) {
    SplittableRandom random = new SplittableRandom(8);
    long found = 0;
    while (!ended.get()) {
      assertWhole(store.get(steady));
      byte[] other = store.get(key(blocks, random.nextInt(KEYS)));
      if (other != null) assertWhole(other);
      found++;
    }
    return found;
  }

  private static void assertWhole(byte[] value) {
    byte[] alike = new byte[value.length];
    Arrays.fill(alike, value[0]);
    assertThat(value).isNotEmpty().isEqualTo(alike);
  }

  private static Bytes key(boolean block, int number) {
    byte kind = block ? Filters.BLOCK_KIND : (byte) 'x';
    return Bytes.wrap(ByteBuffer.allocate(1 + Integer.BYTES).put(kind).putInt(number).array());
  }

  private static byte[] value(boolean block, int number) {
    byte[] value = new byte[block ? Filters.BLOCK_BYTES : 16 + number % 3 * 8];
    Arrays.fill(value, (byte) number);
    return value;
  }
}
