package io.sluice.topology.store;

import io.sluice.topology.watch.SequenceLock;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * State store on the heap that is a hash table. The in-memory store of Kafka Streams is a sorted
 * tree, which compares bytes at every level, but metering needs no order.
 *
 * <p>Written by one thread at a time: the restoring thread, then the thread of the store's task.
 * Any thread may call {@link #get}. {@link #all} is for the writing thread; its iterator may stay
 * open while rows change and the table grows or shrinks: rows that exist all the time are returned,
 * some of them twice. {@link #range} sorts a copy.
 */
final class MemoryStore extends HeapStore {
  private final SequenceLock changes = new SequenceLock();
  private final UnaryOperator<byte[]> lookup = this::find;
  private RowTable rows = new RowTable();
  private BlockPages blocks = new BlockPages();

  MemoryStore(String name) {
    super(name);
  }

  @Override
  void clear() {
    changes.begin();
    rows = new RowTable();
    blocks = new BlockPages();
    changes.end();
  }

  @Override
  public byte[] get(Bytes key) {
    return changes.read(lookup, key.get());
  }

  private byte[] find(byte[] key) {
    byte[] block = BlockPages.mayTake(key) ? blocks.get(key) : null;
    return block == null ? rows.get(key) : block;
  }

  @Override
  public void put(Bytes key, byte[] value) {
    if (value == null) {
      delete(key);
      return;
    }
    changes.begin();
    try {
      if (BlockPages.take(key.get(), value.length)) blocks.put(key.get(), value);
      else rows.put(key.get(), value);
    } finally {
      changes.end();
    }
  }

  @Override
  public byte[] delete(Bytes key) {
    changes.begin();
    try {
      byte[] block = BlockPages.mayTake(key.get()) ? blocks.remove(key.get()) : null;
      return block == null ? rows.remove(key.get()) : block;
    } finally {
      changes.end();
    }
  }

  @Override
  public long approximateNumEntries() {
    return (long) rows.size() + blocks.size();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return new RowsAndBlocks(new AllRows(rows), blocks);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    TreeMap<Bytes, byte[]> within = new TreeMap<>();
    for (KeyValueIterator<Bytes, byte[]> all = all(); all.hasNext(); ) {
      KeyValue<Bytes, byte[]> row = all.next();
      boolean after = from == null || row.key.compareTo(from) >= 0;
      boolean before = to == null || row.key.compareTo(to) <= 0;
      if (after && before) within.put(row.key, row.value);
    }
    return new SortedRows(within.entrySet().iterator());
  }

  /**
   * Iterator over the slots of the open-addressing hash table, while rows may be deleted. It starts
   * at a free slot and goes downwards through all slots, around the end of the table. A deletion
   * moves a later row into the freed slot, never past a free slot; such a row may be returned
   * twice, but is not missed. If the table has shrunk, the remaining rows are in the same order,
   * and the iteration goes on; if the table has grown, the iteration starts again.
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
      // Goes back to the next free slot above, since the resizing may have moved rows there.
      while (left < places - 1 && table.isUsed(place())) left++;
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

  /**
   * Iterator over the rows of the hash table, then over the blocks of Bloom filters in the pages
   * that exist when the rows end.
   */
  private static final class RowsAndBlocks implements Unpeekable {
    private final AllRows rows;
    private final BlockPages blocks;
    private Iterator<Bytes> pages = Collections.emptyIterator();
    private Iterator<Bytes> keys = Collections.emptyIterator();
    private boolean begun;
    private KeyValue<Bytes, byte[]> next;

    RowsAndBlocks(AllRows rows, BlockPages blocks) {
      this.rows = rows;
      this.blocks = blocks;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext() || hasBlock();
    }

    private boolean hasBlock() {
      if (!begun) pages = blocks.pages().iterator();
      begun = true;
      while (next == null && (keys.hasNext() || pages.hasNext())) {
        if (!keys.hasNext()) {
          keys = blocks.keys(pages.next()).iterator();
          continue;
        }
        Bytes key = keys.next();
        byte[] block = blocks.get(key.get());
        if (block != null) next = KeyValue.pair(key, block);
      }
      return next != null;
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
      if (rows.hasNext()) return rows.next();
      if (!hasBlock()) throw new NoSuchElementException();
      KeyValue<Bytes, byte[]> found = next;
      next = null;
      return found;
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
      throw new UnsupportedOperationException("peekNextKey is not supported");
    }

    @Override
    default void close() {}
  }
}
