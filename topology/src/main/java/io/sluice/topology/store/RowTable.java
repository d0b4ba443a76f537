package io.sluice.topology.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Rows on the heap, found by the hash of their key. Changed by one thread at a time, which may walk
 * through its places meanwhile; another may read, and not believe what it finds.
 */
final class RowTable {
  /*
   * Open addressing with linear probing. A row is seldom in a cache of the processor when it is
   * looked up, so what counts is how many places of memory are read: the hashes lie side by side, a
   * key and its value in one array, so there are three, where a map of objects reads six. A value is
   * written over the last one if it is as long, as they mostly are: nothing is allocated, and the
   * garbage collector has no new reference from an old object to follow.
   *
   * Keys are chosen by people, some of whom would slow everybody down by keys that share a hash. So
   * the hash depends on a number that nobody knows.
   *
   * The lowest bits of the hash are the row's own place. So in a table of half the size a row has
   * the same one, or that with half of the places less: a walk down the places can go on where it
   * was. By the highest bits, rows that a walk has left would move together, more with each time.
   */
  private static final int LEAST_PLACES = 64;

  /** Wider from a half on, narrower below an eighth: many rows come or go between two of these. */
  private static final int MOST_PART_USED = 2;

  private static final int LEAST_PART_USED = 8;
  private static final int FREE = 0;

  /** What a row takes beside its own bytes: an object's head, rounding, and places. */
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

  /** A table whose secret is known. */
  RowTable(long secret) {
    this.secret = secret;
  }

  int size() {
    return size;
  }

  /** About what the rows take on the heap. */
  long bytes() {
    return bytes + (long) size * BYTES_BESIDE;
  }

  boolean has(byte[] key) {
    return size > 0 && isUsed(find(key, hash(key)));
  }

  /** A copy of the value, or null if there is none. */
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

  /** Takes a row away, and returns its value, or null if there was none. */
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

  /** Those behind that have gone past this place move up, so that they are found again. */
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

  /** The number of places, each of which holds a row or none. It changes with that of rows. */
  int places() {
    return hashes.length;
  }

  /** How often the number of places has changed, and rows have moved. */
  int resized() {
    return resized;
  }

  /** The last free place up to this one, or before the end if there is none. */
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

  /** The order of the key of this row and another key: below none if it comes before. */
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

  /** Where the row of this key is, or would be. */
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

  /** Eight bytes at a time: the two halves of their product with the secret, one over the other. */
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

  /** The place where a row with this hash is, or from which on it is looked for. */
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
