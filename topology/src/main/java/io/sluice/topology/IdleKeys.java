package io.sluice.topology;

import io.sluice.limiter.RowSweeper;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Walks a store a few rows at a time, over and over, and lets go of those that are as good as new.
 */
final class IdleKeys {
  static final long TICK_MS = 1_000;

  private static final int ROWS_PER_TICK = 5_000;

  private final KeyValueStore<Bytes, byte[]> store;
  private final RowSweeper sweeper;
  private Bytes next;
  private KeyValueIterator<Bytes, byte[]> open;

  /** Walks in the order of keys from where it stopped, or keeps one walk open if that is cheap. */
  IdleKeys(KeyValueStore<Bytes, byte[]> store, RowSweeper sweeper) {
    this.store = store;
    this.sweeper = sweeper;
  }

  /** Looks at the next rows, judged by this clock. */
  void sweepSome(long nowMicros) {
    if (store.persistent()) sweepByKey(nowMicros);
    else sweepInMemory(nowMicros);
  }

  private void sweepInMemory(long nowMicros) {
    if (open == null || !open.hasNext()) open = store.all();
    for (int i = 0; i < ROWS_PER_TICK && open.hasNext(); i++) sweep(open.next(), nowMicros);
  }

  private void sweepByKey(long nowMicros) {
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(next, null)) {
      for (int i = 0; i < ROWS_PER_TICK && rows.hasNext(); i++) sweep(rows.next(), nowMicros);
      next = rows.hasNext() ? rows.peekNextKey() : null;
    }
  }

  private void sweep(KeyValue<Bytes, byte[]> row, long nowMicros) {
    sweeper.sweep(row.key.get(), row.value, nowMicros);
  }
}
