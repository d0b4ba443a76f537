package io.sluice.topology.queue;

import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.delay.DueKey;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Rows of the events that wait in line on one partition, for threads that only read them. */
final class WaitingRows {
  private static final int MOST = 20_000;

  private WaitingRows() {}

  /**
   * Reads at most the first 20,000 rows, in the order of arrival. Any thread may call it.
   *
   * @param seen receives each event that waits, with its row
   * @return whether there are more rows
   */
  static boolean read(
      ReadOnlyKeyValueStore<Bytes, byte[]> store, BiConsumer<WaitingEvent, byte[]> seen) {
    LeftEvents.Stored left = new LeftEvents.Stored(store);
    // On disk, a scan from the first key would step over the tombstones of all events that have
    // left.
    Bytes first = Lane.QUEUED.key(LeftEvents.first(store), 0);
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(first, Lane.QUEUED.last())) {
      for (int looked = 0; rows.hasNext(); looked++) {
        if (looked == MOST) return true;
        KeyValue<Bytes, byte[]> row = rows.next();
        long number = DueKey.dueMs(row.key);
        if (!left.contains(number)) seen.accept(QueuedEvent.waiting(number, row.value), row.value);
      }
    }
    return false;
  }
}
