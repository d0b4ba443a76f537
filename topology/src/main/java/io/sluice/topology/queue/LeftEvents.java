package io.sluice.topology.queue;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Numbers of the events that have left the queue of a task, in the task's store. Not thread-safe.
 */
final class LeftEvents {
  /*
   * A row that is deleted leaves a tombstone in the changelog, which the broker drops after a while.
   * A standby that was suspended for longer, or an instance that returns with an old store, keeps
   * the rows of events that have left, and must not release them again. Events leave in any order,
   * so the queue stores a bit for each event that has left, in blocks of 512 numbers, from the first
   * number that still waits on. A row of bits is deleted when all events before its end have left.
   * It does no harm if it stays, since rows below the first number are not read.
   */
  private static final byte PREFIX = (byte) 0x85;
  private static final byte VERSION = 1;
  private static final int BLOCK_BITS = 9;
  private static final int WORDS = (1 << BLOCK_BITS) / Long.SIZE;
  private static final Bytes FIRST = Bytes.wrap(new byte[] {(byte) 0x84});

  private final KeyValueStore<Bytes, byte[]> store;
  private final TreeMap<Long, long[]> blocks = new TreeMap<>();
  private final Map<Long, long[]> unwritten = new HashMap<>();
  private long first;

  /** Reads the numbers from the store of a task. */
  LeftEvents(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
    first = first(store);
    try (KeyValueIterator<Bytes, byte[]> rows =
        store.range(key(blockOf(first)), key(Long.MAX_VALUE))) {
      while (rows.hasNext()) {
        KeyValue<Bytes, byte[]> next = rows.next();
        long[] words = new long[WORDS];
        ByteBuffer.wrap(next.value, 1, WORDS * Long.BYTES).asLongBuffer().get(words);
        blocks.put(ByteBuffer.wrap(next.key.get(), 1, Long.BYTES).getLong(), words);
      }
    }
  }

  /** Returns the first number whose event may still wait, as a store has it. */
  static long first(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
    byte[] row = store.get(FIRST);
    return row == null ? 0 : ByteBuffer.wrap(row, 1, Long.BYTES).getLong();
  }

  private static Bytes key(long block) {
    return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES).put(PREFIX).putLong(block).array());
  }

  private static long blockOf(long number) {
    return number >>> BLOCK_BITS;
  }

  /** Returns the first number whose event may still wait. */
  long first() {
    return first;
  }

  /** Returns the smallest number that no event has had. */
  long next() {
    if (blocks.isEmpty()) return first;
    long[] words = blocks.lastEntry().getValue();
    int word = WORDS - 1;
    while (word > 0 && words[word] == 0) word--;
    long inBlock = word * (long) Long.SIZE + Long.SIZE - Long.numberOfLeadingZeros(words[word]);
    return Math.max(first, (blocks.lastKey() << BLOCK_BITS) + inBlock);
  }

  /** Returns whether the event with this number has left. */
  boolean contains(long number) {
    if (number < first) return true;
    long[] words = blocks.get(blockOf(number));
    return words != null && (words[wordOf(number)] & 1L << number) != 0;
  }

  private static int wordOf(long number) {
    return (int) (number >>> 6) & (WORDS - 1);
  }

  void add(long number) {
    long block = blockOf(number);
    long[] words = blocks.computeIfAbsent(block, each -> new long[WORDS]);
    words[wordOf(number)] |= 1L << number;
    unwritten.put(block, words);
  }

  /**
   * Stores the numbers that were added since the last call.
   *
   * @param firstWaiting smallest number whose event waits, or that an event may get
   */
  void write(long firstWaiting) {
    if (unwritten.isEmpty()) return;
    unwritten.forEach((block, words) -> store.put(key(block), row(words)));
    unwritten.clear();
    long begin = blockOf(firstWaiting);
    if (begin == blockOf(first)) return;
    first = firstWaiting;
    store.put(FIRST, ByteBuffer.allocate(1 + Long.BYTES).put(VERSION).putLong(first).array());
    while (!blocks.isEmpty() && blocks.firstKey() < begin) {
      store.delete(key(blocks.pollFirstEntry().getKey()));
    }
  }

  private static byte[] row(long[] words) {
    ByteBuffer row = ByteBuffer.allocate(1 + WORDS * Long.BYTES).put(VERSION);
    for (long word : words) row.putLong(word);
    return row.array();
  }
}
