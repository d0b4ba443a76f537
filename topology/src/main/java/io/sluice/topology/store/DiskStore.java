package io.sluice.topology.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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
 * A store on disk with the rows on the heap that change or are read often.
 *
 * <p>Changed by one thread at a time: the one that restores it, then the one that runs its task.
 * Any thread may {@link #get}; the others are for the thread that changes it.
 */
final class DiskStore implements KeyValueStore<Bytes, byte[]> {
  /*
   * Rows go to the disk when Streams commits the store, before the offset up to which the disk then
   * has the changelog. With exactly once, Streams does that only before it closes the store; until
   * then they go when there are too many of them. At the end nothing is written: what Streams has
   * not committed is in the changelog behind that offset, or comes again.
   */
  private final KeyValueStore<Bytes, byte[]> disk;
  private final RecentRows recent = new RecentRows();
  private Thread changing;

  DiskStore(KeyValueStore<Bytes, byte[]> disk) {
    this.disk = disk;
  }

  /** Makes such stores, of stores that are all on disk. */
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
    disk.init(new RestoringContext(context, restored), root);
  }

  /** A task that becomes a standby keeps its store, and gets from others what they change. */
  private void restore(Collection<KeyValue<byte[], byte[]>> records) {
    recent.clear(); // what is not committed is in the changelog, or was never meant to be
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
    // Another thread may have read it before a change that is now on disk.
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

  /** A row that is about to go takes no room that others have. */
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

  /** A row on disk that has changed since counts twice. */
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
  @SuppressWarnings("deprecation") // Streams asks every store
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
      recent.clear(); // Streams may init the same object again
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

  /** That of the rows on disk: nobody asks it how fresh it is. */
  @Override
  public Position getPosition() {
    return disk.getPosition();
  }
}
