package io.sluice.topology.queue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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
   *
   * Numbers are given to stored events only, so that blocks become full. A full block needs no
   * memory.
   */
  private static final byte PREFIX = (byte) 0x85;
  private static final byte VERSION = 1;
  private static final int BLOCK_BITS = 9;
  private static final int WORDS = (1 << BLOCK_BITS) / Long.SIZE;
  private static final Bytes FIRST = Bytes.wrap(new byte[] {(byte) 0x84});

  /** Most rows of passed blocks that one call deletes. */
  private static final int MOST_DELETED = 1_000;

  private final KeyValueStore<Bytes, byte[]> store;
  private final Map<Long, long[]> blocks = new HashMap<>();
  private final Set<Long> unwritten = new HashSet<>();
  private long first;
  private long next;

  /** Smallest block that may have a row. */
  private long leastBlock;

  /** Reads the numbers from the store of a task. */
  LeftEvents(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
    first = first(store);
    next = first;
    leastBlock = blockOf(first);
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(key(0), key(Long.MAX_VALUE))) {
      while (rows.hasNext()) read(rows.next());
    }
  }

  /** Returns the first number whose event may still wait, by a store. Any thread may call it. */
  static long first(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
    byte[] row = store.get(FIRST);
    return row == null ? 0 : ByteBuffer.wrap(row, 1, Long.BYTES).getLong();
  }

  /** Reader of the numbers in a store, for a thread other than the task's. Not thread-safe. */
  static final class Stored {
    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;
    private long block = -1;
    private byte[] row;

    Stored(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
      this.store = store;
    }

    /** Returns whether the event with this number has left although its row may be in the store. */
    boolean contains(long number) {
      if (blockOf(number) != block) {
        block = blockOf(number);
        row = store.get(key(block));
      }
      if (row == null) return false;
      long word = ByteBuffer.wrap(row).getLong(1 + wordOf(number) * Long.BYTES);
      return (word & 1L << number) != 0;
    }
  }

  private void read(KeyValue<Bytes, byte[]> row) {
    long block = ByteBuffer.wrap(row.key.get(), 1, Long.BYTES).getLong();
    leastBlock = Math.min(leastBlock, block);
    if (block < blockOf(first)) return;
    long[] words = new long[WORDS];
    ByteBuffer.wrap(row.value, 1, WORDS * Long.BYTES).asLongBuffer().get(words);
    blocks.put(block, words);
    int word = WORDS - 1;
    while (word > 0 && words[word] == 0) word--;
    long inBlock = word * (long) Long.SIZE + Long.SIZE - Long.numberOfLeadingZeros(words[word]);
    next = Math.max(next, (block << BLOCK_BITS) + inBlock);
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

  /** Returns a number above those of all events that have left. */
  long next() {
    return next;
  }

  /**
   * Returns whether the event with this number has left. To be called before {@link #restored}
   * only.
   */
  boolean contains(long number) {
    if (number < first) return true;
    long[] words = blocks.get(blockOf(number));
    return words != null && (words[wordOf(number)] & 1L << number) != 0;
  }

  /** Ends the reading of stored events. */
  void restored() {
    blocks.values().removeIf(LeftEvents::isFull);
  }

  private static int wordOf(long number) {
    return (int) (number >>> 6) & (WORDS - 1);
  }

  private static boolean isFull(long[] words) {
    return Arrays.stream(words).allMatch(word -> word == -1L);
  }

  void add(long number) {
    long block = blockOf(number);
    blocks.computeIfAbsent(block, each -> new long[WORDS])[wordOf(number)] |= 1L << number;
    unwritten.add(block);
    next = Math.max(next, number + 1);
  }

  /**
   * Stores the numbers that were added since the last call.
   *
   * @param firstWaiting smallest number whose event waits, or that an event may get
   */
  void write(long firstWaiting) {
    for (long block : unwritten) {
      long[] words = blocks.get(block);
      store.put(key(block), row(words));
      if (isFull(words)) blocks.remove(block);
    }
    boolean passes = !unwritten.isEmpty() && blockOf(firstWaiting) > blockOf(first);
    unwritten.clear();
    if (passes) pass(firstWaiting);
    for (int i = 0; i < MOST_DELETED && leastBlock < blockOf(first); i++, leastBlock++) {
      store.delete(key(leastBlock));
      blocks.remove(leastBlock);
    }
  }

  private void pass(long firstWaiting) {
    first = firstWaiting;
    store.put(FIRST, ByteBuffer.allocate(1 + Long.BYTES).put(VERSION).putLong(first).array());
  }

  private static byte[] row(long[] words) {
    ByteBuffer row = ByteBuffer.allocate(1 + WORDS * Long.BYTES).put(VERSION);
    for (long word : words) row.putLong(word);
    return row.array();
  }
}
