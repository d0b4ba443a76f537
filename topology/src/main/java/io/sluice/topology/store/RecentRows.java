package io.sluice.topology.store;

import io.sluice.topology.watch.SequenceLock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * Rows of a disk store that are on the heap: rows that have changed since the last write to disk,
 * and rows that were recently written to disk or read from disk. Written by one thread at a time;
 * any thread may call {@link #find}.
 */
final class RecentRows {
  /*
   * A lookup searches changed rows before unchanged rows, so an outdated copy of a changed row may
   * stay among the unchanged rows. Changed rows are written to the disk many at once, which costs
   * less than one by one. Their largest number determines how long the thread pauses for a write.
   *
   * There are many such stores in a process, so a small heap gets less bytes of rows per store.
   *
   * When there are too many unchanged rows, all of them are dropped, and rows that are still used
   * are read from disk again. To find the least recently used rows would cost a write at each read.
   */
  static final int MOST_CHANGED = 1 << 14;

  static final long MOST_CHANGED_BYTES = Math.min(4 << 20, Runtime.getRuntime().maxMemory() / 128);
  static final int MOST_KEPT = 1 << 16;
  static final long MOST_KEPT_BYTES = 2 * MOST_CHANGED_BYTES;

  private static final int WRITTEN_AT_ONCE = 1 << 10;

  /** Result of {@link #find} for a deleted row that the disk may still have. */
  static final byte[] DELETED = new byte[0];

  private final SequenceLock changes = new SequenceLock();
  private final UnaryOperator<byte[]> lookup = this::lookUp;
  private RowTable changed = new RowTable();

  /** Keys of the deleted rows that the disk may still have, with empty values. */
  private RowTable deleted = new RowTable();

  private RowTable kept = new RowTable();
  private int written;

  /**
   * Returns a copy of a row's value on the heap; {@link #DELETED} if the row was deleted and the
   * disk may still have it; null if the heap has no information about the row.
   */
  byte[] find(byte[] key) {
    return changes.read(lookup, key);
  }

  private byte[] lookUp(byte[] key) {
    byte[] value = changed.get(key);
    if (value != null) return value;
    return deleted.has(key) ? DELETED : kept.get(key);
  }

  void put(byte[] key, byte[] value) {
    changes.begin();
    try {
      deleted.remove(key);
      changed.put(key, value);
    } finally {
      changes.end();
    }
  }

  void delete(byte[] key) {
    changes.begin();
    try {
      changed.remove(key);
      deleted.put(key, DELETED);
    } finally {
      changes.end();
    }
  }

  /** Keeps an unchanged copy of a row on disk on the heap, for later reads. */
  void keep(byte[] key, byte[] value) {
    changes.begin();
    try {
      boolean full = kept.size() >= MOST_KEPT || kept.bytes() >= MOST_KEPT_BYTES;
      if (full) kept = new RowTable();
      kept.put(key, value);
    } finally {
      changes.end();
    }
  }

  /** Returns the number of changed and deleted rows that are not yet written to the disk. */
  int changed() {
    return changed.size() + deleted.size();
  }

  /** Returns whether so many rows have changed that they must be written to the disk now. */
  boolean areTooMany() {
    return changed() >= MOST_CHANGED || changed.bytes() + deleted.bytes() >= MOST_CHANGED_BYTES;
  }

  /** Returns how often the set of changed rows has been written to disk or dropped. */
  int written() {
    return written;
  }

  /**
   * Returns the first keys in a range of rows that have changed and are not deleted, in key order,
   * at most {@link NextKeys#MOST}.
   */
  List<Bytes> changedKeys(Bytes from, Bytes to) {
    return NextKeys.of(changed, from, to);
  }

  /**
   * Writes the changed and deleted rows to the disk.
   *
   * @param disk writes rows to the disk; deletes a row whose value is null
   */
  void writeTo(Consumer<List<KeyValue<Bytes, byte[]>>> disk) {
    if (changed() == 0) return;
    write(changed, true, disk);
    write(deleted, false, disk);
    // Changed rows are dropped only now: readers must find them on the heap until they are on disk.
    replace(kept);
  }

  private void write(RowTable rows, boolean values, Consumer<List<KeyValue<Bytes, byte[]>>> disk) {
    List<KeyValue<Bytes, byte[]>> some = new ArrayList<>();
    for (int place = 0; place < rows.places(); place++) {
      if (!rows.isUsed(place)) continue;
      byte[] value = values ? rows.value(place) : null;
      some.add(KeyValue.pair(Bytes.wrap(rows.key(place)), value));
      if (some.size() < WRITTEN_AT_ONCE) continue;
      disk.accept(some);
      keepWritten(some);
      some.clear();
    }
    if (!some.isEmpty()) disk.accept(some);
    keepWritten(some);
  }

  private void keepWritten(Collection<KeyValue<Bytes, byte[]>> rows) {
    for (KeyValue<Bytes, byte[]> row : rows) {
      if (row.value == null) forget(row.key.get());
      else keep(row.key.get(), row.value);
    }
  }

  private void forget(byte[] key) {
    changes.begin();
    try {
      kept.remove(key);
    } finally {
      changes.end();
    }
  }

  /** Removes all rows from the heap, without writing changed rows to the disk. */
  void clear() {
    replace(new RowTable());
  }

  /**
   * Replaces the tables of changed, deleted and unchanged rows. The new tables are created before
   * the sequence lock begins a change, so that no exception is thrown during the change.
   *
   * @param keptFromNow new table of unchanged rows
   */
  private void replace(RowTable keptFromNow) {
    RowTable noneChanged = new RowTable();
    RowTable noneDeleted = new RowTable();
    changes.begin();
    changed = noneChanged;
    deleted = noneDeleted;
    kept = keptFromNow;
    changes.end();
    written++;
  }

  /**
   * Finds the first keys of a hash table in key order, in one pass over the table. The sweep that
   * deletes idle rows needs a few hundred keys several times a second. Sorting all keys each time,
   * or collecting a longer list, would cost more than the rest of the sweep.
   */
  static final class NextKeys {
    /**
     * Largest number of keys in a list; more than a sweep usually checks at once. A shorter list
     * contains all remaining keys of the range.
     */
    static final int MOST = 320;

    private final RowTable table;
    private final PriorityQueue<Bytes> least = new PriorityQueue<>(Comparator.reverseOrder());

    private NextKeys(RowTable table) {
      this.table = table;
    }

    /**
     * @param from smallest key of the range, or null
     * @param to largest key of the range, or null
     */
    static List<Bytes> of(RowTable table, Bytes from, Bytes to) {
      NextKeys next = new NextKeys(table);
      for (int place = 0; place < table.places(); place++) {
        if (table.isUsed(place) && next.isWithin(place, from, to)) next.take(place);
      }
      List<Bytes> keys = new ArrayList<>(next.least);
      Collections.sort(keys);
      return keys;
    }

    private boolean isWithin(int place, Bytes from, Bytes to) {
      if (from != null && table.compareKey(place, from.get()) < 0) return false;
      if (to != null && table.compareKey(place, to.get()) > 0) return false;
      return least.size() < MOST || table.compareKey(place, least.peek().get()) < 0;
    }

    private void take(int place) {
      if (least.size() == MOST) least.poll();
      least.add(Bytes.wrap(table.key(place)));
    }
  }
}
