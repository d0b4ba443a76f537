package io.sluice.topology.store;

import io.sluice.limiter.filter.Filters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.utils.Bytes;

/**
 * Table of the 64-byte blocks of Bloom filters on the heap, with up to 256 blocks in one array. A
 * block takes less than one byte in addition to its content; a hash table row for each block would
 * double its size. Written by one thread at a time; other threads may read, and must validate with
 * the sequence lock.
 */
final class BlockPages {
  private final Map<Bytes, Page> pages = new ConcurrentHashMap<>();
  private int size;

  /**
   * Up to 256 blocks whose keys differ only in the last byte, in one array in the order of that
   * byte.
   */
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

  /**
   * Returns whether a row with this key and this number of bytes in its value is a filter block.
   */
  static boolean take(byte[] key, int bytes) {
    return mayTake(key) && bytes == Filters.BLOCK_BYTES;
  }

  /** Returns whether a row with this key may be a filter block, by the first byte of the key. */
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

  /** Returns a copy of the filter block with this key; null if there is none. */
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

  /** Removes the filter block with this key and returns it; null if there was none. */
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

  /** Returns the names of all pages: the keys of their blocks without the last byte. */
  List<Bytes> pages() {
    return new ArrayList<>(pages.keySet());
  }

  /** Returns the keys of the blocks in the page with this name; empty if there is no such page. */
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
