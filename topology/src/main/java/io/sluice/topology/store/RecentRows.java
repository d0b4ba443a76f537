package io.sluice.topology.store;

import io.sluice.topology.watch.SequenceLock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * Rows of a store on disk that are on the heap: those that have changed since the last write to
 * disk, and those that were written or read lately. Written by one thread at a time; any thread may
 * {@link #find}.
 */
final class RecentRows {
  /*
   * Changed rows are looked up first, so a kept row that has changed since may stay. Rows are
   * written to the disk many at once, which costs less than one by one. Their number determines how
   * long the thread stands still for it.
   *
   * When there is no more room for kept rows, all of them are dropped, and the used ones come back
   * one by one. To know the least used ones would cost a write at every read.
   */
  static final int MOST_CHANGED = 1 << 14;

  static final long MOST_CHANGED_BYTES = 4 << 20;
  static final int MOST_KEPT = 1 << 16;
  static final long MOST_KEPT_BYTES = 8 << 20;

  private static final int WRITTEN_AT_ONCE = 1 << 10;

  /** Result of {@link #find} for a deleted row, which the disk may still have. */
  static final byte[] DELETED = new byte[0];

  private final SequenceLock changes = new SequenceLock();
  private final SettledReads reads = new SettledReads(changes, this::lookUp);
  private RowTable changed = new RowTable();
  private RowTable deleted = new RowTable(); // keys only
  private RowTable kept = new RowTable();
  private int written;

  /** Returns a copy of the value; {@link #DELETED}; or null if only the disk knows. */
  byte[] find(byte[] key) {
    return reads.get(key);
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

  /** Keeps a row on the heap as it is on disk. */
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

  /** Returns the number of rows that the disk has with another value, or lacks, or still has. */
  int changed() {
    return changed.size() + deleted.size();
  }

  /** Returns whether it is time to write the changed rows. */
  boolean areTooMany() {
    return changed() >= MOST_CHANGED || changed.bytes() + deleted.bytes() >= MOST_CHANGED_BYTES;
  }

  /** Returns how often changed rows have been written or dropped. */
  int written() {
    return written;
  }

  /**
   * Returns the next keys in this range of rows that have changed and are not deleted, in order.
   */
  List<Bytes> changedKeys(Bytes from, Bytes to) {
    return NextKeys.of(changed, from, to);
  }

  /**
   * Writes the changed rows.
   *
   * @param disk takes rows; a row without a value is to be deleted
   */
  void writeTo(Consumer<List<KeyValue<Bytes, byte[]>>> disk) {
    if (changed() == 0) return;
    write(changed, true, disk);
    write(deleted, false, disk);
    replace(kept); // a reader must find a row on the heap until the disk has it
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

  /** Removes all rows. */
  void clear() {
    replace(new RowTable());
  }

  /**
   * Replaces the tables; creates them before the change begins, so that nothing is thrown during
   * it.
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
}
