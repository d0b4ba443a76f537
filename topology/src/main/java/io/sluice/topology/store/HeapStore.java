package io.sluice.topology.store;

import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Base class of the state stores on the heap. Subclasses keep the rows. Any thread may get a row.
 */
abstract class HeapStore implements KeyValueStore<Bytes, byte[]> {
  private final String name;
  private final Position position = Position.emptyPosition();
  private volatile boolean open;

  HeapStore(String name) {
    this.name = name;
  }

  /** Supplier of stores on the heap; Kafka Streams adds a changelog and metrics to each store. */
  record Supplier(String name, Function<String, KeyValueStore<Bytes, byte[]>> maker)
      implements KeyValueBytesStoreSupplier {
    @Override
    public String metricsScope() {
      return "in-memory";
    }

    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return maker.apply(name);
    }
  }

  /** Removes all rows from the store. */
  abstract void clear();

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
    clear();
    open = false;
  }

  /** Returns an empty changelog position, since no query asks how recent the store is. */
  @Override
  public Position getPosition() {
    return position;
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
}
