package io.sluice.topology.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Hash table of rows with keys and values of bytes, on the heap. Written by one thread at a time,
 * which may iterate over the table's slots meanwhile; other threads may read, and must validate
 * with the sequence lock.
 */
final class RowTable {
  /*
   * Open addressing with linear probing. A row is seldom in a cache of the processor when it is
   * looked up, so the number of memory accesses counts. The hashes are in one array, and a key and
   * its value are in one byte array, so a lookup needs three accesses, where a map of objects needs
   * six. A value of the same length, as most are, is overwritten in place: nothing is allocated,
   * and the garbage collector has no new reference from an old object to follow.
   *
   * Clients choose the keys, and might choose keys with the same hash to slow the table down. So
   * the hash depends on a secret number.
   *
   * The lowest bits of the hash give the row's home slot. So in a table of half the size a row has
   * the same home slot, or that slot less half of the number of slots, and an iteration downwards
   * through the slots can go on. If the highest bits gave the home slot, the rows that an iteration
   * has not reached would be crowded together, more with each resizing.
   */
  private static final int LEAST_PLACES = 64;

  /**
   * The table grows when half of its slots are used, and shrinks when less than an eighth is used,
   * so that many rows must be added or removed between two resizings.
   */
  private static final int MOST_PART_USED = 2;

  private static final int LEAST_PART_USED = 8;
  private static final int FREE = 0;

  /**
   * Bytes that a row takes in addition to its key and value: the header and the rounded size of its
   * array, and its slot.
   */
  private static final int BYTES_BESIDE = 44;

  private static final VarHandle KEY_BYTES =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final long secret;
  private int[] hashes = new int[LEAST_PLACES];

  /** For each slot its row, or null: four bytes with the length of the key, the key, the value. */
  private byte[][] rows = new byte[LEAST_PLACES][];

  private int size;
  private long bytes;
  private int resized;

  RowTable() {
    this(new SplittableRandom().nextLong() | 1);
  }

  /** Creates a table whose hash function uses the given secret. */
  RowTable(long secret) {
    this.secret = secret;
  }

  int size() {
    return size;
  }

  /** Returns approximately how many bytes all rows take on the heap. */
  long bytes() {
    return bytes + (long) size * BYTES_BESIDE;
  }

  boolean has(byte[] key) {
    return size > 0 && isUsed(find(key, hash(key)));
  }

  /** Returns a copy of the value of a key; null if there is no such row. */
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

  /** Removes the row of a key and returns its value; null if there was no such row. */
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
   * Frees a slot of the table, and moves back rows in the following slots that a lookup would no
   * longer reach.
   */
  private void free(int place) {
    int mask = hashes.length - 1;
    int free = place;
    for (int next = free + 1 & mask; isUsed(next); next = next + 1 & mask) {
      int way = next - home(hashes[next]) & mask;
      // A row may not move to a slot before its home slot, where a lookup would not find it.
      if (way < (next - free & mask)) continue;
      hashes[free] = hashes[next];
      rows[free] = rows[next];
      free = next;
    }
    hashes[free] = FREE;
    rows[free] = null;
  }

  /**
   * Returns the number of slots of the table; each slot has one row or none. The number changes
   * when the table is resized.
   */
  int places() {
    return hashes.length;
  }

  /** Returns how often the table has been resized, which moves rows to other slots. */
  int resized() {
    return resized;
  }

  /**
   * Returns the nearest free slot at or before a slot; the search goes on at the end of the table
   * if it passes the beginning.
   */
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

  /** Compares the key in a slot with another key; less than 0 if the key in the slot is smaller. */
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

  /** Returns the slot of a key's row, or the free slot in which the row would be put. */
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
   * Hashes a key, eight bytes at a time: multiplies them by the secret, and XORs both halves of the
   * product. Never returns 0, which stands for a free slot.
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

  /** Returns the home slot of a hash, at which the search for a row with this hash begins. */
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
