package io.sluice.topology;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A store on the heap that finds a row by its hash. Streams' own keeps a sorted tree, which
 * metering has no use for and pays for with a comparison of bytes at every level.
 *
 * <p>{@link #all} copies nothing and may be kept open while rows change: it is weakly consistent.
 * {@link #range} sorts a copy.
 */
final class MemoryStore implements KeyValueStore<Bytes, byte[]> {
  private final String name;
  private final Map<Bytes, byte[]> rows = new ConcurrentHashMap<>();
  private final Position position = Position.emptyPosition();
  private volatile boolean open;

  MemoryStore(String name) {
    this.name = name;
  }

  /** Makes such stores; Streams wraps them with their changelog and metrics. */
  record Supplier(String name) implements KeyValueBytesStoreSupplier {
    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return new MemoryStore(name);
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
    if (value == null) rows.remove(key);
    else rows.put(key, value);
  }

  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    return rows.putIfAbsent(key, value);
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    for (KeyValue<Bytes, byte[]> entry : entries) put(entry.key, entry.value);
  }

  @Override
  public byte[] delete(Bytes key) {
    return rows.remove(key);
  }

  @Override
  public long approximateNumEntries() {
    return rows.size();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return new Entries(rows.entrySet().iterator());
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    Predicate<Bytes> after = key -> from == null || key.compareTo(from) >= 0;
    Predicate<Bytes> before = key -> to == null || key.compareTo(to) <= 0;
    Comparator<Map.Entry<Bytes, byte[]>> byKey = Map.Entry.comparingByKey();
    return new Entries(
        rows.entrySet().stream()
            .filter(entry -> after.and(before).test(entry.getKey()))
            .sorted(byKey)
            .iterator());
  }

  private static final class Entries implements KeyValueIterator<Bytes, byte[]> {
    private final Iterator<Map.Entry<Bytes, byte[]>> entries;

    Entries(Iterator<Map.Entry<Bytes, byte[]>> entries) {
      this.entries = entries;
    }

    @Override
    public boolean hasNext() {
      return entries.hasNext();
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
      Map.Entry<Bytes, byte[]> entry = entries.next();
      return KeyValue.pair(entry.getKey(), entry.getValue());
    }

    @Override
    public Bytes peekNextKey() {
      throw new UnsupportedOperationException("nobody needs to peek");
    }

    @Override
    public void close() {}
  }
}
