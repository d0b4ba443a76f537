package io.sluice.topology.store;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A store on the heap that finds a row by its hash. Streams' own keeps a sorted tree, which
 * metering has no use for and pays for with a comparison of bytes at every level.
 *
 * <p>For one thread at a time: the one that restores it, then the one that runs its task; nobody
 * queries it from outside. {@link #all} may be kept open while rows change, and while the table
 * grows and shrinks: whatever is there all the while is shown, some of it twice. {@link #range}
 * sorts a copy.
 */
final class MemoryStore extends HeapStore {
  private RowTable rows = new RowTable();

  MemoryStore(String name) {
    super(name);
  }

  /** Makes such stores. */
  static final class Supplier extends HeapStore.Supplier {
    Supplier(String name) {
      super(name);
    }

    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return new MemoryStore(name());
    }
  }

  @Override
  void clear() {
    rows = new RowTable();
  }

  @Override
  public byte[] get(Bytes key) {
    return rows.get(key.get());
  }

  @Override
  public void put(Bytes key, byte[] value) {
    if (value == null) rows.remove(key.get());
    else rows.put(key.get(), value);
  }

  @Override
  public byte[] delete(Bytes key) {
    return rows.remove(key.get());
  }

  @Override
  public long approximateNumEntries() {
    return rows.size();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return new AllRows(rows);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    TreeMap<Bytes, byte[]> within = new TreeMap<>();
    for (AllRows all = new AllRows(rows); all.hasNext(); ) {
      KeyValue<Bytes, byte[]> row = all.next();
      boolean after = from == null || row.key.compareTo(from) >= 0;
      boolean before = to == null || row.key.compareTo(to) <= 0;
      if (after && before) within.put(row.key, row.value);
    }
    return new SortedRows(within.entrySet().iterator());
  }

  /**
   * Walks down and around from a free place, past which no row moves when another is deleted: what
   * moves into that one's place is then met twice and not missed. In a narrower table the rows that
   * are left have their own places in the same stretch; in a wider one they are everywhere, and the
   * walk begins anew.
   */
  private static final class AllRows implements Unpeekable {
    private final RowTable table;
    private int resized;
    private int places;
    private int free;
    private int left;

    AllRows(RowTable table) {
      this.table = table;
      resized = table.resized();
      places = table.places();
      free = table.freePlaceUpTo(0);
      left = places - 1;
    }

    private int place() {
      return free + left & places - 1;
    }

    private void goOnAfterResizing() {
      boolean wider = table.places() > places;
      resized = table.resized();
      places = table.places();
      int start = free & places - 1;
      free = table.freePlaceUpTo(start);
      int before = start - free & places - 1;
      left = wider ? places - 1 : Math.min(places - 1, left + before);
      while (left < places - 1 && table.isUsed(place())) left++; // rows behind their own places
    }

    @Override
    public boolean hasNext() {
      if (left > 0 && resized != table.resized()) goOnAfterResizing();
      while (left > 0 && !table.isUsed(place())) left--;
      return left > 0;
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
      if (!hasNext()) throw new NoSuchElementException();
      int place = place();
      left--;
      return KeyValue.pair(Bytes.wrap(table.key(place)), table.value(place));
    }
  }

  private record SortedRows(Iterator<Map.Entry<Bytes, byte[]>> rows) implements Unpeekable {
    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
      Map.Entry<Bytes, byte[]> row = rows.next();
      return KeyValue.pair(row.getKey(), row.getValue());
    }
  }

  private interface Unpeekable extends KeyValueIterator<Bytes, byte[]> {
    @Override
    default Bytes peekNextKey() {
      throw new UnsupportedOperationException("nobody needs to peek");
    }

    @Override
    default void close() {}
  }
}
