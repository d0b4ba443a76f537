package io.sluice.topology.store;

import io.sluice.topology.store.RecentRows.NextKeys;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * State store on disk that keeps some rows on the heap: rows whose changes are not yet written to
 * disk, and rows that were recently written or read.
 *
 * <p>Written by one thread at a time: the restoring thread, then the thread of the store's task.
 * Any thread may call {@link #get}; all other methods are for the writing thread.
 */
final class DiskStore implements KeyValueStore<Bytes, byte[]> {
  /*
   * Changed rows are written to the disk when Kafka Streams commits the store, before the disk
   * stores the changelog offset up to which it is complete. With exactly-once, Streams commits the
   * store only before it closes it; until then changed rows are written when there are too many.
   * Closing writes nothing: changes that Streams has not committed are in the changelog after that
   * offset, or the records that caused them are processed again.
   */
  private final KeyValueStore<Bytes, byte[]> disk;
  private final RecentRows recent = new RecentRows();
  private Thread changing;

  DiskStore(KeyValueStore<Bytes, byte[]> disk) {
    this.disk = disk;
  }

  /** Supplier of stores on disk with some rows on the heap, based on a supplier of plain stores. */
  record Supplier(KeyValueBytesStoreSupplier disk) implements KeyValueBytesStoreSupplier {
    @Override
    public String name() {
      return disk.name();
    }

    @Override
    public String metricsScope() {
      return disk.metricsScope();
    }

    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return new DiskStore(disk.get());
    }
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    BatchingStateRestoreCallback restored = this::restore;
    disk.init(restoringBy(restored, context), root);
  }

  /**
   * Returns a context for the store on disk, which registers itself to be restored: restored rows
   * then go to this store's callback.
   */
  private static StateStoreContext restoringBy(
      BatchingStateRestoreCallback restored, StateStoreContext context) {
    return (StateStoreContext)
        Proxy.newProxyInstance(
            DiskStore.class.getClassLoader(),
            new Class<?>[] {StateStoreContext.class},
            (proxy, method, args) -> {
              if (method.getName().equals("register")) args[1] = restored;
              try {
                return method.invoke(context, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /**
   * Writes rows from the changelog to the disk. If an active task becomes a standby, its store
   * stays open and gets the changes of the instance that now has the active task.
   */
  private void restore(Collection<KeyValue<byte[], byte[]>> records) {
    // Uncommitted changes on the heap are in the changelog, too, or their transaction was aborted.
    recent.clear();
    List<KeyValue<Bytes, byte[]>> rows = new ArrayList<>(records.size());
    for (KeyValue<byte[], byte[]> each : records) {
      rows.add(KeyValue.pair(Bytes.wrap(each.key), each.value));
    }
    disk.putAll(rows);
  }

  private void write() {
    recent.writeTo(disk::putAll);
  }

  @Override
  public byte[] get(Bytes key) {
    byte[] found = recent.find(key.get());
    if (found != null) return valueOf(found);
    byte[] value = disk.get(key);
    // Only the writing thread may keep a value: another thread may have read an outdated value.
    if (value != null && Thread.currentThread() == changing) recent.keep(key.get(), value);
    return value;
  }

  private static byte[] valueOf(byte[] found) {
    return found == RecentRows.DELETED ? null : found;
  }

  @Override
  public void put(Bytes key, byte[] value) {
    changing = Thread.currentThread();
    if (value == null) recent.delete(key.get());
    else recent.put(key.get(), value);
    if (recent.areTooMany()) write();
  }

  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    byte[] present = get(key);
    if (present == null) put(key, value);
    return present;
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    for (KeyValue<Bytes, byte[]> entry : entries) put(entry.key, entry.value);
  }

  /** Deletes a row and returns its old value, without keeping the old value on the heap. */
  @Override
  public byte[] delete(Bytes key) {
    byte[] found = recent.find(key.get());
    byte[] before = found == null ? disk.get(key) : valueOf(found);
    put(key, null);
    return before;
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    return new DiskWalk(disk, recent, from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return range(null, null);
  }

  /**
   * Returns an estimate of the number of rows. A row on disk whose change is not yet written counts
   * twice.
   */
  @Override
  public long approximateNumEntries() {
    return disk.approximateNumEntries() + recent.changed();
  }

  @Override
  public void commit(Map<TopicPartition, Long> changelogOffsets) {
    write();
    disk.commit(changelogOffsets);
  }

  @Override
  @SuppressWarnings("deprecation") // Kafka Streams calls this method on every store
  public boolean managesOffsets() {
    return disk.managesOffsets();
  }

  @Override
  public Long committedOffset(TopicPartition partition) {
    return disk.committedOffset(partition);
  }

  @Override
  public void close() {
    try {
      disk.close();
    } finally {
      // Kafka Streams may open this store object again, which must then have no rows on the heap.
      recent.clear();
    }
  }

  @Override
  public String name() {
    return disk.name();
  }

  @Override
  public boolean persistent() {
    return disk.persistent();
  }

  @Override
  public boolean isOpen() {
    return disk.isOpen();
  }

  /**
   * Returns the changelog position of the rows on disk. Rows on the heap may be newer; this does
   * not matter, since no query asks how recent the store is.
   */
  @Override
  public Position getPosition() {
    return disk.getPosition();
  }

  /**
   * Iterator in key order over all rows of a store: the rows on disk and the changed rows on the
   * heap. Rows may change and be written to the disk during the iteration: a row that exists all
   * the time is returned exactly once.
   */
  static final class DiskWalk implements KeyValueIterator<Bytes, byte[]> {
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
}
