package io.sluice.topology.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.RowSweeper;
import io.sluice.testing.TestScale;
import io.sluice.topology.delay.ThreadBudget;
import io.sluice.topology.metering.MeterProcessor.StoreRows;
import io.sluice.topology.store.HeapStores;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how fast idle rows are deleted, and how much time that takes. */
class IdleKeysTest {
  private static final byte[] VALUE = new byte[8];

  private final ThreadBudget.Threads threads = new ThreadBudget.Threads();
  private final KeyValueStore<Bytes, byte[]> store = HeapStores.hashed("limits").get();
  private final AtomicLong wallMs = new AtomicLong();

  private IdleKeys idleKeys(KeyValueStore<Bytes, byte[]> rows) {
    return new IdleKeys(rows, new RowSweeper(new StoreRows(rows), List.of()), wallMs::get, threads);
  }

  /** Returns a key whose rule is unknown, so that its row is deleted. */
  private static Bytes idle(int number) {
    return Bytes.wrap(ByteBuffer.allocate(9).putInt('x' << 16 | 'g').putInt(number).array());
  }

  /** Returns the key of a part of a log, which is deleted only with the row that it belongs to. */
  private static Bytes busy(int number) {
    byte[] log = {1, 0, 'l', 0, 'L'};
    return Bytes.wrap(ByteBuffer.allocate(9).put(log).putInt(number).array());
  }

  private static int ticks(IdleKeys keys, KeyValueStore<Bytes, byte[]> rows, long until) {
    int ticks = 0;
    for (; rows.approximateNumEntries() > until && ticks < 100_000; ticks++) keys.sweepSome(0);
    return ticks;
  }

  @Test
  void aFloodIsGoneWithinTheTombstonesThatATickMayWrite() {
    int flood = 300_000;
    for (int i = 0; i < flood; i++) store.put(idle(i), VALUE);
    for (int i = 0; i < 100; i++) store.put(busy(i), VALUE);
    IdleKeys keys = idleKeys(store);
    keys.sweepSome(0);
    assertThat(store.approximateNumEntries()).isEqualTo(flood + 100 - IdleKeys.MOST_LEAVE_PER_TICK);
    assertThat(ticks(keys, store, 100)).isLessThan(2 * flood / IdleKeys.MOST_LEAVE_PER_TICK);
    for (int i = 0; i < 100; i++) assertThat(store.get(busy(i))).isNotNull();
  }

  /** Every sweep looks at all rows within five minutes, however many there are. */
  @Test
  void oneIdleRowAmongManyLeavesWithinAWalk() {
    int many = TestScale.of(400_000, 2_000_000);
    for (int i = 0; i < many; i++) store.put(busy(i), VALUE);
    store.put(idle(0), VALUE);
    assertThat(ticks(idleKeys(store), store, many)).isBetween(1, 3_100);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6})
  void allTasksOfAThreadTakeATenthOfItsTime(int tasks) {
    for (int i = 0; i < 50_000; i++) store.put(idle(i), VALUE);
    AtomicInteger looks = new AtomicInteger();
    IdleKeys[] all = new IdleKeys[tasks];
    for (int i = 0; i < tasks; i++) {
      all[i] =
          new IdleKeys(
              store,
              new RowSweeper(new StoreRows(store), List.of()),
              () -> looks.getAndIncrement(), // each look takes a millisecond
              threads);
      all[i].sweepSome(0);
    }
    looks.set(0);
    for (IdleKeys each : all) each.sweepSome(0);
    assertThat(looks.get() - tasks).isBetween(1, (int) IdleKeys.TICK_MS / 10);
    all[0].close();
    all[0].close(); // gives back its share once
    looks.set(0);
    for (int i = 1; i < tasks; i++) all[i].sweepSome(0);
    assertThat(looks.get()).isLessThanOrEqualTo((int) IdleKeys.TICK_MS / 10 + tasks);
  }

  /** A scan on disk is costly to start. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onDiskMoreRowsAreLookedAtLessOftenUnlessManyLeave(boolean manyLeave) {
    AtomicInteger walks = new AtomicInteger();
    KeyValueStore<Bytes, byte[]> disk = onDisk(walks);
    int ticks = 8;
    int rows = ticks * IdleKeys.MOST_LEAVE_PER_TICK;
    for (int i = 0; i < rows; i++) disk.put(manyLeave ? idle(i) : busy(i), VALUE);
    IdleKeys keys = idleKeys(disk);
    for (int i = 0; i < ticks; i++) keys.sweepSome(0);
    assertThat(walks).hasValue(manyLeave ? ticks : ticks / 4);
  }

  @Test
  void aTickOnDiskWhoseTimeIsUpLeavesNothingOutThatItDidNotLookAt() {
    AtomicInteger walks = new AtomicInteger();
    KeyValueStore<Bytes, byte[]> disk = onDisk(walks);
    for (int i = 0; i < 10_000; i++) disk.put(busy(i), VALUE);
    IdleKeys keys =
        new IdleKeys(
            disk,
            new RowSweeper(new StoreRows(disk), List.of()),
            () -> wallMs.getAndAdd(IdleKeys.TICK_MS), // the time is over at the first look
            threads);
    for (int i = 0; i < 8; i++) keys.sweepSome(0);
    assertThat(walks).hasValue(8);
  }

  /** Returns a store that behaves like one on disk, and counts the scans that are started. */
  @SuppressWarnings("unchecked")
  private KeyValueStore<Bytes, byte[]> onDisk(AtomicInteger walks) {
    KeyValueStore<Bytes, byte[]> rows = HeapStores.sorted("limits").get();
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("persistent")) return true;
              if (method.getName().matches("all|range")) walks.incrementAndGet();
              return method.invoke(rows, arguments);
            });
  }
}
