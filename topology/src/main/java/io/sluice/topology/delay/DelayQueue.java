package io.sluice.topology.delay;

import io.sluice.topology.intake.Nodes;
import java.nio.ByteBuffer;
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
   * million. So a scan begins where the last one ended, at a place below which nothing waits.
   *
   * The place is also a row of its own, written behind the tombstones of each tick that lets events
   * go. The changelog forgets tombstones after a while. Whoever reads it and stands still for longer
   * in between, such as the standby of an instance that is paused or cut off, keeps rows of events
   * that have left; so does an instance that comes back late with an old store. But whoever has read
   * past where the tombstones were has read a place as well, and nobody looks below that. Such rows
   * are deleted at the beginning.
   *
   * This needs what has left to be below the place and what waits to be above. So an event that is
   * due and must stay, because Redis does not answer, is put in again behind the others. Only if the
   * clock goes back, and something is to wait from below the place, is that lowered. What is above
   * it then and has left did so by a clock that was ahead: its tombstones are younger than that
   * clock's lead, and still there if this is less than they live.
   */
  static final Bytes PLACE = Bytes.wrap(new byte[] {0});

  /** A place is the version of its format and a key; what 0.1 wrote is the key alone. */
  static final int PLACE_VERSION = 1;

  private static final int KEY_BYTES = 2 * Long.BYTES;
  private static final int MOST_MISSED_PER_TICK = 10_000;

  private final KeyValueStore<Bytes, byte[]> store;
  private Bytes from;
  private Bytes noted;
  private boolean toNote;
  private boolean mayHaveMissed;
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
    mayHaveMissed = !noted.equals(DueKey.FIRST);
    toNote = mayHaveMissed || waiting > 0; // whoever had it before may not have come to it
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
    return place == null ? DueKey.FIRST : place(place);
  }

  /** The key in the row of a place. */
  static Bytes place(byte[] row) {
    if (row.length == KEY_BYTES) return Bytes.wrap(row);
    ByteBuffer in = ByteBuffer.wrap(row);
    int version = in.get() & 0xff;
    if (version == PLACE_VERSION) return DueKey.of(in.getLong(), in.getLong());
    String what = "the place up to which events have left the store " + Nodes.WAITING;
    throw NewerRelease.wrote(what, version, PLACE_VERSION);
  }

  static byte[] placeRow(Bytes key) {
    return ByteBuffer.allocate(1 + KEY_BYTES).put((byte) PLACE_VERSION).put(key.get()).array();
  }

  void add(Bytes key, byte[] event) {
    if (isBeforeAll(key)) from = key;
    if (key.compareTo(noted) < 0) lower(key);
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
    toNote = true;
  }

  /** Nothing waits below this key any more. */
  void readUpTo(Bytes key) {
    from = key;
  }

  /** To be called with every tick: notes where the queue is read on from if anything has left. */
  void note(long nowMs) {
    if (mayHaveMissed) mayHaveMissed = deleteMissed(DueKey.FIRST, MOST_MISSED_PER_TICK);
    if (!toNote) return;
    toNote = false;
    Bytes now = DueKey.of(nowMs + 1, 0); // what is still to come waits from there on
    Bytes place = waiting == 0 || from.compareTo(now) > 0 ? now : from;
    if (place.compareTo(noted) > 0) note(place);
  }

  private void note(Bytes place) {
    store.put(PLACE, placeRow(place));
    noted = place;
  }

  /** Makes room below the place for what waits although it was due before it. */
  private void lower(Bytes key) {
    deleteMissed(key, Integer.MAX_VALUE);
    note(key);
  }

  /** Deletes rows below the place, and says whether there may be more. */
  private boolean deleteMissed(Bytes first, int most) {
    int deleted = 0;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(first, noted)) {
      for (; deleted < most && rows.hasNext(); deleted++) {
        Bytes key = rows.next().key;
        if (key.equals(noted)) return false; // that one waits
        store.delete(key);
      }
    }
    return deleted == most;
  }

  /** How long the first one that waits has been overdue; 0 if it is not. */
  long overdueMs(long nowMs) {
    return waiting == 0 ? 0 : Math.max(0, nowMs - DueKey.dueMs(from));
  }
}
