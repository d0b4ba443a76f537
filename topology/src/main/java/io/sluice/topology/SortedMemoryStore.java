package io.sluice.topology;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A store on the heap in the order of keys. Streams' own copies all keys for every scan; here a
 * scan costs what it reads, and rows may change meanwhile: it is weakly consistent.
 */
final class SortedMemoryStore implements KeyValueStore<Bytes, byte[]> {
  private final String name;
  private final ConcurrentNavigableMap<Bytes, byte[]> rows = new ConcurrentSkipListMap<>();
  private final AtomicLong count = new AtomicLong(); // the map would count one by one
  private final Position position = Position.emptyPosition();
  private volatile boolean open;

  SortedMemoryStore(String name) {
    this.name = name;
  }

  /** Makes such stores; Streams wraps them with their changelog and metrics. */
  record Supplier(String name) implements KeyValueBytesStoreSupplier {
    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return new SortedMemoryStore(name);
    }

    @Override
    public String metricsScope() {
      return "in-memory";
    }
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    context.register(root, (key, value) -> put(Bytes.wrap(key), value));
    open = true;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    rows.clear();
    count.set(0);
    open = false;
  }

  /** Empty: nobody queries it from outside, so nobody asks how fresh it is. */
  @Override
  public Position getPosition() {
    return position;
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
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    byte[] before = rows.putIfAbsent(key, value);
    if (before == null) count.incrementAndGet();
    return before;
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    for (KeyValue<Bytes, byte[]> entry : entries) put(entry.key, entry.value);
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
