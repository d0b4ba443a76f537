package io.sluice.topology.store;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * State store on the heap in the order of its keys. The cost of a scan depends only on the rows
 * that it reads, while the in-memory store of Kafka Streams copies all keys for every scan. Rows
 * may change during a scan, which is weakly consistent.
 */
final class SortedMemoryStore extends HeapStore {
  private final ConcurrentNavigableMap<Bytes, byte[]> rows = new ConcurrentSkipListMap<>();

  /** Number of rows in the map; only the writing thread changes it, and any thread may read it. */
  private final AtomicLong count = new AtomicLong();

  SortedMemoryStore(String name) {
    super(name);
  }

  @Override
  void clear() {
    rows.clear();
    count.set(0);
  }

  @Override
  public byte[] get(Bytes key) {
    return rows.get(key);
  }

  @Override
  public void put(Bytes key, byte[] value) {
    if (value == null) delete(key);
    else if (rows.put(key, value) == null) count.incrementAndGet();
  }

  @Override
  public byte[] delete(Bytes key) {
    byte[] before = rows.remove(key);
    if (before != null) count.decrementAndGet();
    return before;
  }

  @Override
  public long approximateNumEntries() {
    return count.get();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return new Entries(rows);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    ConcurrentNavigableMap<Bytes, byte[]> part = rows;
    if (from != null) part = part.tailMap(from, true);
    boolean none = from != null && to != null && from.compareTo(to) > 0;
    if (to != null) part = part.headMap(none ? from : to, !none);
    return new Entries(part);
  }

  private static final class Entries implements KeyValueIterator<Bytes, byte[]> {
    private final Iterator<Map.Entry<Bytes, byte[]>> entries;
    private Map.Entry<Bytes, byte[]> next;

    Entries(ConcurrentNavigableMap<Bytes, byte[]> part) {
      entries = part.entrySet().iterator();
      step();
    }

    private void step() {
      next = entries.hasNext() ? entries.next() : null;
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
      Bytes key = peekNextKey();
      byte[] value = next.getValue();
      step();
      return KeyValue.pair(key, value);
    }

    @Override
    public Bytes peekNextKey() {
      if (next == null) throw new NoSuchElementException();
      return next.getKey();
    }

    @Override
    public void close() {}
  }
}
