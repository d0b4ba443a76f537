package io.sluice.topology.simulation;

import io.sluice.topology.store.HeapStores;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * State store of a simulation that is on the heap, and moves to disk permanently when its rows take
 * too many bytes. It may need much memory, since a key may be as long as an event, and a simulated
 * day has as many keys as a real day. For one thread.
 */
final class SpillingStore implements KeyValueStore<Bytes, byte[]> {
  /**
   * Estimated bytes of a row on the heap in addition to its key and value: object headers, and a
   * slot of the hash table.
   */
  private static final int BYTES_BESIDE = 64;

  /**
   * Divisor of the maximum size: after a measurement, at least a quarter of the maximum is written
   * before all rows are measured again, since a measurement reads each row. So the store may exceed
   * its maximum by a quarter.
   */
  private static final int LEAST_PART = 4;

  private final long mostBytes;
  private KeyValueStore<Bytes, byte[]> rows;
  private StateStoreContext context;
  private long untilMeasured;
  private boolean spilled;

  /**
   * @param heap empty store on the heap, with the name of this store
   * @param mostBytes approximately how many bytes of rows stay on the heap
   */
  SpillingStore(KeyValueStore<Bytes, byte[]> heap, long mostBytes) {
    rows = heap;
    this.mostBytes = mostBytes;
    untilMeasured = mostBytes;
  }

  /**
   * Moves the rows to disk if they take too many bytes on the heap. The move ends all open
   * iterators, so it may be called only between the processing of two records.
   */
  void spillIfTooLarge() {
    if (spilled || untilMeasured >= 0) return;
    long bytes = bytes();
    if (bytes > mostBytes) spill();
    else untilMeasured = Math.max(mostBytes - bytes, mostBytes / LEAST_PART);
  }

  private long bytes() {
    long bytes = 0;
    try (KeyValueIterator<Bytes, byte[]> all = rows.all()) {
      while (all.hasNext()) bytes += bytes(all.next());
    }
    return bytes;
  }

  private static long bytes(KeyValue<Bytes, byte[]> row) {
    return (long) row.key.get().length + row.value.length + BYTES_BESIDE;
  }

  private void spill() {
    KeyValueStore<Bytes, byte[]> heap = rows;
    KeyValueStore<Bytes, byte[]> disk = HeapStores.onDisk(name()).get();
    disk.init(context, this);
    try (KeyValueIterator<Bytes, byte[]> all = heap.all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> row = all.next();
        disk.put(row.key, row.value);
      }
    } catch (RuntimeException e) { // such as a full disk
      disk.close();
      throw e;
    }
    rows = disk;
    spilled = true;
    heap.close();
  }

  @Override
  public void init(StateStoreContext with, StateStore root) {
    context = with;
    rows.init(with, root);
  }

  @Override
  public String name() {
    return rows.name();
  }

  @Override
  public byte[] get(Bytes key) {
    return rows.get(key);
  }

  @Override
  public void put(Bytes key, byte[] value) {
    rows.put(key, value);
    if (value != null) untilMeasured -= bytes(KeyValue.pair(key, value));
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

  @Override
  public byte[] delete(Bytes key) {
    return rows.delete(key);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    return new OpenRows(rows.range(from, to), spilled);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return new OpenRows(rows.all(), spilled);
  }

  @Override
  public long approximateNumEntries() {
    return rows.approximateNumEntries();
  }

  @Override
  public boolean persistent() {
    return rows.persistent();
  }

  @Override
  public boolean isOpen() {
    return rows.isOpen();
  }

  @Override
  public void close() {
    rows.close();
  }

  /** Returns the changelog position of the wrapped store; no query asks how recent the store is. */
  @Override
  public Position getPosition() {
    return rows.getPosition();
  }

  /** Iterator over the rows that ends early when the rows move to disk. */
  private final class OpenRows implements KeyValueIterator<Bytes, byte[]> {
    private final KeyValueIterator<Bytes, byte[]> open;
    private final boolean onDisk;

    OpenRows(KeyValueIterator<Bytes, byte[]> open, boolean onDisk) {
      this.open = open;
      this.onDisk = onDisk;
    }

    @Override
    public boolean hasNext() {
      return onDisk == spilled && open.hasNext();
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
      return open.next();
    }

    @Override
    public Bytes peekNextKey() {
      return open.peekNextKey();
    }

    @Override
    public void close() {
      open.close();
    }
  }
}
