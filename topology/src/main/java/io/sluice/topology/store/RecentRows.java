package io.sluice.topology.store;

import io.sluice.topology.watch.Changes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * The rows of a store on disk that are on the heap: those that have changed since they were
 * written, and those that were written or read lately. Changed by one thread at a time; any thread
 * may {@link #find}.
 */
final class RecentRows {
  /*
   * What has changed is looked up first, so a row that was kept and has changed since need not
   * leave. Rows are written many at once, which costs less than writing each. How many sets how long
   * the thread stands still for it.
   *
   * When there is no more room for rows to be kept, all of them leave: those that are used come
   * back one by one. To know which are used least would cost a note at every read.
   */
  static final int MOST_CHANGED = 1 << 14;

  static final long MOST_CHANGED_BYTES = 4 << 20;
  static final int MOST_KEPT = 1 << 16;
  static final long MOST_KEPT_BYTES = 8 << 20;

  private static final int WRITTEN_AT_ONCE = 1 << 10;

  /** What {@link #find} says of a row that the disk may still have. */
  static final byte[] DELETED = new byte[0];

  private final Changes changes = new Changes();
  private final SettledReads reads = new SettledReads(changes, this::lookUp);
  private RowTable changed = new RowTable();
  private RowTable deleted = new RowTable(); // keys only
  private RowTable kept = new RowTable();
  private int written;

  /** A copy of the value, {@link #DELETED}, or null if only the disk knows. */
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

  /** Takes a row as it is on disk. */
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

  /** How many rows the disk has otherwise, or not at all, or still. */
  int changed() {
    return changed.size() + deleted.size();
  }

  /** Whether it is time to write what has changed. */
  boolean areTooMany() {
    return changed() >= MOST_CHANGED || changed.bytes() + deleted.bytes() >= MOST_CHANGED_BYTES;
  }

  /** How often changed rows have gone to the disk. */
  int written() {
    return written;
  }

  /** The next keys of rows that have changed and are not deleted, in order, from this one on. */
  List<Bytes> changedKeys(Bytes from, Bytes to) {
    return NextKeys.of(changed, from, to);
  }

  /**
   * Writes what has changed.
   *
   * @param disk takes rows, those without a value to be deleted
   */
  void writeTo(Consumer<List<KeyValue<Bytes, byte[]>>> disk) {
    if (changed() == 0) return;
    write(changed, true, disk);
    write(deleted, false, disk);
    replace(kept); // whoever reads must find a row here until the disk has it
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

  /** Lets go of all rows. */
  void clear() {
    replace(new RowTable());
  }

  /** Makes all that it needs before it begins, so that nothing is thrown in between. */
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
