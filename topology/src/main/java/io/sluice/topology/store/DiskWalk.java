package io.sluice.topology.store;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Iterator in key order over all rows of a store: the rows on disk and the changed rows on the
 * heap. Rows may change and be written to the disk during the iteration: a row that exists all the
 * time is returned exactly once.
 */
final class DiskWalk implements KeyValueIterator<Bytes, byte[]> {
  private final KeyValueStore<Bytes, byte[]> disk;
  private final RecentRows recent;
  private final Bytes to;
  private Bytes from;
  private int written;
  private KeyValueIterator<Bytes, byte[]> onDisk;
  private KeyValue<Bytes, byte[]> rowOnDisk;
  private Iterator<Bytes> onHeap;
  private boolean allOnHeap;
  private Bytes keyOnHeap;
  private KeyValue<Bytes, byte[]> next;

  /**
   * @param from first key of the range, or null for the first row
   * @param to last key of the range, or null for the last row
   */
  DiskWalk(KeyValueStore<Bytes, byte[]> disk, RecentRows recent, Bytes from, Bytes to) {
    this.disk = disk;
    this.recent = recent;
    this.from = from;
    this.to = to;
    begin();
  }

  private void begin() {
    written = recent.written();
    onDisk = from == null && to == null ? disk.all() : disk.range(from, to);
    rowOnDisk = null;
    onHeap = Collections.emptyIterator();
    allOnHeap = false;
    keyOnHeap = null;
  }

  @Override
  public boolean hasNext() {
    if (next != null) return true;
    // If rows were written to disk since the scan was opened, the scan does not show them.
    if (written != recent.written()) {
      onDisk.close();
      begin();
    }
    while (next == null && findHeads()) step();
    return next != null;
  }

  /**
   * Finds the next row on disk and the next changed row on the heap; returns whether one exists.
   */
  private boolean findHeads() {
    if (rowOnDisk == null && onDisk.hasNext()) rowOnDisk = onDisk.next();
    if (keyOnHeap == null && !onHeap.hasNext() && !allOnHeap) {
      List<Bytes> keys = recent.changedKeys(from, to);
      onHeap = keys.iterator();
      allOnHeap = keys.size() < NextKeys.MOST;
    }
    if (keyOnHeap == null && onHeap.hasNext()) keyOnHeap = onHeap.next();
    return rowOnDisk != null || keyOnHeap != null;
  }

  /**
   * Steps over the next row in key order, on disk, on the heap, or on both if the keys are equal,
   * and sets the next result unless the row is deleted.
   */
  private void step() {
    int order = order();
    Bytes key = order < 0 ? rowOnDisk.key : keyOnHeap;
    byte[] value = order <= 0 ? rowOnDisk.value : null;
    if (order <= 0) rowOnDisk = null;
    if (order >= 0) keyOnHeap = null;
    from = behind(key);
    byte[] newer = recent.find(key.get());
    if (newer != null) value = newer == RecentRows.DELETED ? null : newer;
    if (value != null) next = KeyValue.pair(key, value);
  }

  /**
   * Compares the keys of the next row on disk and of the next row on the heap: less than 0 if the
   * row on disk comes first, more than 0 if the row on the heap comes first, 0 if the keys are
   * equal.
   */
  private int order() {
    if (keyOnHeap == null) return -1;
    return rowOnDisk == null ? 1 : rowOnDisk.key.compareTo(keyOnHeap);
  }

  /** Returns the smallest possible key that is larger than a key: the key and a zero byte. */
  private static Bytes behind(Bytes key) {
    return Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
  }

  @Override
  public KeyValue<Bytes, byte[]> next() {
    if (!hasNext()) throw new NoSuchElementException();
    KeyValue<Bytes, byte[]> row = next;
    next = null;
    return row;
  }

  @Override
  public Bytes peekNextKey() {
    if (!hasNext()) throw new NoSuchElementException();
    return next.key;
  }

  @Override
  public void close() {
    onDisk.close();
  }
}
