package io.sluice.topology.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Hash table of rows on the heap. Written by one thread at a time, which may iterate over its
 * places meanwhile; other readers must validate with the sequence lock.
 */
final class RowTable {
  /*
   * Open addressing with linear probing. A row is seldom in a cache of the processor when it is
   * looked up, so the number of memory accesses counts: the hashes are side by side, a key and its
   * value are in one array, so there are three accesses, where a map of objects needs six. A value
   * of the same length is overwritten, as most are: nothing is allocated, and the garbage collector
   * has no new reference from an old object to follow.
   *
   * Users choose the keys, and some would choose keys with the same hash to slow the table down. So
   * the hash depends on a secret number.
   *
   * The lowest bits of the hash are the row's own place. So in a table of half the size a row has
   * the same place, or that place less half of the places, and an iteration down the places can go
   * on where it was. By the highest bits, the rows that an iteration has not reached would be
   * crowded together, more with each resizing.
   */
  private static final int LEAST_PLACES = 64;

  /**
   * The table grows when half full and shrinks below an eighth: many rows come or go in between.
   */
  private static final int MOST_PART_USED = 2;

  private static final int LEAST_PART_USED = 8;
  private static final int FREE = 0;

  /** Bytes of a row beside its own content: an object's header, rounding, and its place. */
  private static final int BYTES_BESIDE = 44;

  private static final VarHandle KEY_BYTES =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final long secret;
  private int[] hashes = new int[LEAST_PLACES];
  private byte[][] rows = new byte[LEAST_PLACES][]; // length of the key, key, value
  private int size;
  private long bytes;
  private int resized;

  RowTable() {
    this(new SplittableRandom().nextLong() | 1);
  }

  /** Creates a table with this secret. */
  RowTable(long secret) {
    this.secret = secret;
  }

  int size() {
    return size;
  }

  /** Returns about how many bytes the rows take on the heap. */
  long bytes() {
    return bytes + (long) size * BYTES_BESIDE;
  }

  boolean has(byte[] key) {
    return size > 0 && isUsed(find(key, hash(key)));
  }

  /** Returns a copy of the value; null if there is none. */
  byte[] get(byte[] key) {
    int place = find(key, hash(key));
    return isUsed(place) ? value(place) : null;
  }

  void put(byte[] key, byte[] value) {
    if (MOST_PART_USED * size >= hashes.length) resize(2 * hashes.length);
    int hash = hash(key);
    int place = find(key, hash);
    int valueAt = Integer.BYTES + key.length;
    if (!isUsed(place)) size++;
    if (!isUsed(place) || rows[place].length != valueAt + value.length) {
      hashes[place] = hash;
      bytes += valueAt + value.length - (rows[place] == null ? 0 : rows[place].length);
      rows[place] = row(key, valueAt + value.length);
    }
    System.arraycopy(value, 0, rows[place], valueAt, value.length);
  }

  private static byte[] row(byte[] key, int bytes) {
    byte[] row = new byte[bytes];
    KEY_BYTES.set(row, 0, key.length);
    System.arraycopy(key, 0, row, Integer.BYTES, key.length);
    return row;
  }

  /** Removes a row and returns its value; null if there was none. */
  byte[] remove(byte[] key) {
    if (size == 0) return null;
    int place = find(key, hash(key));
    if (!isUsed(place)) return null;
    byte[] value = value(place);
    size--;
    bytes -= rows[place].length;
    free(place);
    boolean narrower = hashes.length > LEAST_PLACES && size < hashes.length / LEAST_PART_USED;
    if (narrower) resize(hashes.length / 2);
    return value;
  }

  /**
   * Frees a place, and moves up the rows behind it that belong there or before, so that they are
   * found.
   */
  private void free(int place) {
    int mask = hashes.length - 1;
    int free = place;
    for (int next = free + 1 & mask; isUsed(next); next = next + 1 & mask) {
      int way = next - home(hashes[next]) & mask;
      if (way < (next - free & mask)) continue; // it would be before its own place
      hashes[free] = hashes[next];
      rows[free] = rows[next];
      free = next;
    }
    hashes[free] = FREE;
    rows[free] = null;
  }

  /**
   * Returns the number of places, each with one row or none. It changes with the number of rows.
   */
  int places() {
    return hashes.length;
  }

  /** Returns how often the number of places has changed and rows have moved. */
  int resized() {
    return resized;
  }

  /** Returns the last free place up to this one, or before the end if there is none. */
  int freePlaceUpTo(int place) {
    int mask = hashes.length - 1;
    int free = place & mask;
    while (isUsed(free)) free = free - 1 & mask;
    return free;
  }

  boolean isUsed(int place) {
    return hashes[place] != FREE;
  }

  byte[] key(int place) {
    byte[] row = rows[place];
    return Arrays.copyOfRange(row, Integer.BYTES, valueAt(row));
  }

  /** Compares the key at a place with another key; less than 0 if it comes first. */
  int compareKey(int place, byte[] key) {
    byte[] row = rows[place];
    return Arrays.compareUnsigned(row, Integer.BYTES, valueAt(row), key, 0, key.length);
  }

  byte[] value(int place) {
    byte[] row = rows[place];
    return Arrays.copyOfRange(row, valueAt(row), row.length);
  }

  private static int valueAt(byte[] row) {
    return Integer.BYTES + (int) KEY_BYTES.get(row, 0);
  }

  /** Returns the place of this key's row, or the free place where it would be. */
  private int find(byte[] key, int hash) {
    int mask = hashes.length - 1;
    int place = home(hash);
    while (isUsed(place) && !(hashes[place] == hash && holds(place, key))) place = place + 1 & mask;
    return place;
  }

  private boolean holds(int place, byte[] key) {
    byte[] row = rows[place];
    return Arrays.equals(row, Integer.BYTES, valueAt(row), key, 0, key.length);
  }

  /**
   * Hashes eight bytes at a time: multiplies them by the secret, and XORs both halves of the
   * product.
   */
  private int hash(byte[] key) {
    long hash = key.length;
    int at = 0;
    for (; at <= key.length - Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ (long) EIGHT_BYTES.get(key, at));
    }
    long rest = 0;
    for (; at < key.length; at++) rest = (rest << 8) | (key[at] & 0xff);
    int folded = (int) (mix(hash ^ rest) >>> 32);
    return folded == FREE ? 1 : folded;
  }

  private long mix(long value) {
    long mixed = value ^ secret;
    return mixed * secret ^ Math.multiplyHigh(mixed, secret);
  }

  /** Returns the place of a row with this hash, or the place from which on to search for it. */
  private int home(int hash) {
    return hash & hashes.length - 1;
  }

  private void resize(int places) {
    int[] oldHashes = hashes;
    byte[][] oldRows = rows;
    hashes = new int[places];
    rows = new byte[places][];
    resized++;
    int mask = places - 1;
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] == FREE) continue;
      int place = home(oldHashes[i]);
      while (isUsed(place)) place = place + 1 & mask;
      hashes[place] = oldHashes[i];
      rows[place] = oldRows[i];
    }
  }
}
