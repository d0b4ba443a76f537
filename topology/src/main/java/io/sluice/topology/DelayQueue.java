package io.sluice.topology;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The events that wait in one partition, by the time they are due: a state store, and the place
 * from which it is read on.
 */
final class DelayQueue {
  /*
   * On disk a deleted row is a tombstone that every scan from the beginning steps over, 120 ms for a
   * million. So a scan begins where the last one ended, at a place below which nothing waits. That is
   * remembered here, and after a restart found again from a row of its own, which is written once for
   * thousands of events that have left: what is behind it costs a fraction of a millisecond once.
   *
   * It is also written an hour after an event has left. An instance may come back with an old store
   * when the tombstones of what has left since are gone from the changelog, which keeps them for a
   * day; such rows are below the place then, and nobody looks there.
   *
   * In memory there are no tombstones, and no such row.
   */
  private static final Bytes PLACE = Bytes.wrap(new byte[] {0});
  private static final int LEFT_PER_PLACE = 10_000;
  static final long LONGEST_UNNOTED_MS = 3_600_000;

  private final KeyValueStore<Bytes, byte[]> store;
  private Bytes from;
  private Bytes noted;
  private int leftSinceNoted;
  private long leftFirstMs;
  private long waiting;

  /** Finds out where events wait, and how many, by looking at each. */
  DelayQueue(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
    noted = noted(store);
    from = noted;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(noted, DueKey.LAST)) {
      if (rows.hasNext()) from = rows.peekNextKey();
      for (; rows.hasNext(); rows.next()) waiting++;
    }
  }

  /** How many events wait. */
  long waiting() {
    return waiting;
  }

  /** Whether everything that waits comes after this key. */
  boolean isBeforeAll(Bytes key) {
    return waiting == 0 || key.compareTo(from) < 0;
  }

  /** Whether anything waits in a store that was due by then. */
  static boolean holdsAnyDue(KeyValueStore<Bytes, byte[]> store, long dueMs) {
    Bytes place = noted(store);
    if (place.compareTo(DueKey.lastAt(dueMs)) > 0) return false;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(place, DueKey.lastAt(dueMs))) {
      return rows.hasNext();
    }
  }

  private static Bytes noted(KeyValueStore<Bytes, byte[]> store) {
    byte[] place = store.get(PLACE);
    return place == null ? DueKey.FIRST : Bytes.wrap(place);
  }

  void add(Bytes key, byte[] event) {
    if (isBeforeAll(key)) from = key;
    if (store.persistent() && key.compareTo(noted) < 0) note(); // the clock has gone back
    if (store.putIfAbsent(key, event) == null) waiting++;
  }

  /** Whether anything can be due by then, without a look into the store. */
  boolean mayHaveDue(long dueMs) {
    return waiting > 0 && DueKey.dueMs(from) <= dueMs;
  }

  /** What is due by then, in order, if {@link #mayHaveDue}; events may leave while it is read. */
  KeyValueIterator<Bytes, byte[]> due(long dueMs) {
    return store.range(from, DueKey.lastAt(dueMs));
  }

  void leave(Bytes key) {
    store.delete(key);
    waiting--;
    leftSinceNoted++;
  }

  /** Nothing waits below this key any more. */
  void readUpTo(Bytes key) {
    from = key;
  }

  /** To be called now and then: writes down the place if it is worth it. */
  void noteIfWorthIt(long nowMs) {
    if (leftSinceNoted == 0 || !store.persistent()) return;
    if (leftFirstMs == 0) leftFirstMs = nowMs;
    if (leftSinceNoted >= LEFT_PER_PLACE || nowMs - leftFirstMs >= LONGEST_UNNOTED_MS) note();
  }

  private void note() {
    store.put(PLACE, from.get());
    noted = from;
    leftSinceNoted = 0;
    leftFirstMs = 0;
  }

  /** How long the first one that waits has been overdue; 0 if it is not. */
  long overdueMs(long nowMs) {
    return waiting == 0 ? 0 : Math.max(0, nowMs - DueKey.dueMs(from));
  }
}
