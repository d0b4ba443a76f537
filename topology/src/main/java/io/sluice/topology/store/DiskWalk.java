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
 * A walk in order through the rows on disk and those on the heap that the disk does not have yet.
 * Rows may change meanwhile, and be written: whatever is there all the while is shown once.
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
   * @param from the first key, or null
   * @param to the last one, or null
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
    if (written != recent.written()) { // what was on the heap is on disk, and not in what is walked
      onDisk.close();
      begin();
    }
    while (next == null && findHeads()) step();
    return next != null;
  }

  /** The first rows of both; whether there is any. */
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

  /** Goes past the first of both, or past the row that both have. */
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

  /** Less than none if the row on disk is the first, more if that on the heap is, none if both. */
  private int order() {
    if (keyOnHeap == null) return -1;
    return rowOnDisk == null ? 1 : rowOnDisk.key.compareTo(keyOnHeap);
  }

  /** The first of all keys that come after this one. */
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
