package io.sluice.topology.store;

import io.sluice.limiter.filter.Filters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.utils.Bytes;

/**
 * The blocks of filters on the heap, neighbours side by side: beside its 64 bytes a block takes
 * less than one, and as a row of its own it would take as many again. Changed by one thread at a
 * time; another may read meanwhile, and not believe what it finds.
 */
final class BlockPages {
  private final Map<Bytes, Page> pages = new ConcurrentHashMap<>();
  private int size;

  /** The blocks whose names differ in the last byte alone, in the order of that. */
  private static final class Page {
    private static final int MOST = 256;
    private static final int MORE = 16;

    private final long[] present = new long[MOST / Long.SIZE];
    private byte[] blocks = new byte[0];
    private int count;

    boolean has(int number) {
      return (present[number / Long.SIZE] & (1L << (number % Long.SIZE))) != 0;
    }

    private int offset(int number) {
      int before = 0;
      int word = number / Long.SIZE;
      for (int i = 0; i < word; i++) before += Long.bitCount(present[i]);
      long lower = present[word] & ((1L << (number % Long.SIZE)) - 1);
      return (before + Long.bitCount(lower)) * Filters.BLOCK_BYTES;
    }

    byte[] get(int number) {
      int at = offset(number);
      return Arrays.copyOfRange(blocks, at, at + Filters.BLOCK_BYTES);
    }

    void put(int number, byte[] block) {
      int at = offset(number);
      if (!has(number)) insert(number, at);
      System.arraycopy(block, 0, blocks, at, Filters.BLOCK_BYTES);
    }

    private void insert(int number, int at) {
      int end = count * Filters.BLOCK_BYTES;
      if (end == blocks.length) blocks = Arrays.copyOf(blocks, end + MORE * Filters.BLOCK_BYTES);
      System.arraycopy(blocks, at, blocks, at + Filters.BLOCK_BYTES, end - at);
      present[number / Long.SIZE] |= 1L << (number % Long.SIZE);
      count++;
    }

    void remove(int number) {
      int at = offset(number);
      int next = at + Filters.BLOCK_BYTES;
      System.arraycopy(blocks, next, blocks, at, count * Filters.BLOCK_BYTES - next);
      present[number / Long.SIZE] &= ~(1L << (number % Long.SIZE));
      count--;
    }
  }

  /** Whether a row of this name and with so many bytes is kept here. */
  static boolean take(byte[] key, int bytes) {
    return mayTake(key) && bytes == Filters.BLOCK_BYTES;
  }

  /** Whether a row of this name may be here. */
  static boolean mayTake(byte[] key) {
    return key.length > 1 && key[0] == Filters.BLOCK_KIND;
  }

  private static Bytes page(byte[] key) {
    return Bytes.wrap(Arrays.copyOf(key, key.length - 1));
  }

  private static int number(byte[] key) {
    return key[key.length - 1] & 0xff;
  }

  int size() {
    return size;
  }

  /** A copy of the block, or null if there is none. */
  byte[] get(byte[] key) {
    Page page = pages.get(page(key));
    return page == null || !page.has(number(key)) ? null : page.get(number(key));
  }

  void put(byte[] key, byte[] block) {
    Page page = pages.computeIfAbsent(page(key), each -> new Page());
    int before = page.count;
    page.put(number(key), block);
    size += page.count - before;
  }

  /** Takes a block away, and returns it, or null if there was none. */
  byte[] remove(byte[] key) {
    byte[] block = get(key);
    if (block == null) return null;
    Bytes name = page(key);
    Page page = pages.get(name);
    page.remove(number(key));
    if (page.count == 0) pages.remove(name);
    size--;
    return block;
  }

  /** The names of all that there are now. */
  List<Bytes> pages() {
    return new ArrayList<>(pages.keySet());
  }

  /** The names of the blocks in a page, which may be gone. */
  List<Bytes> keys(Bytes name) {
    List<Bytes> keys = new ArrayList<>();
    Page page = pages.get(name);
    if (page == null) return keys;
    for (int number = 0; number < Page.MOST; number++) {
      if (!page.has(number)) continue;
      byte[] key = Arrays.copyOf(name.get(), name.get().length + 1);
      key[key.length - 1] = (byte) number;
      keys.add(Bytes.wrap(key));
    }
    return keys;
  }
}
