package io.sluice.topology;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Rows on the heap, found by the hash of their key. For one thread at a time; its places may be
 * walked through while rows change.
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
   */
  private static final int LEAST_PLACES = 64;
  private static final int FREE = 0;
  private static final VarHandle KEY_BYTES =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final long secret;
  private int[] hashes = new int[LEAST_PLACES];
  private byte[][] rows = new byte[LEAST_PLACES][]; // length of the key, key, value
  private int size;

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

  /** A copy of the value, or null if there is none. */
  byte[] get(byte[] key) {
    int place = find(key, hash(key));
    return isUsed(place) ? value(place) : null;
  }

  void put(byte[] key, byte[] value) {
    if (2 * size >= hashes.length) widen();
    int hash = hash(key);
    int place = find(key, hash);
    int valueAt = Integer.BYTES + key.length;
    if (!isUsed(place)) size++;
    if (!isUsed(place) || rows[place].length != valueAt + value.length) {
      hashes[place] = hash;
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
    int place = find(key, hash(key));
    if (!isUsed(place)) return null;
    byte[] value = value(place);
    size--;
    free(place);
    return value;
  }

  /** Those behind that have gone past this place move up, so that they are found again. */
  private void free(int place) {
    int mask = hashes.length - 1;
    int free = place;
    for (int next = free + 1 & mask; isUsed(next); next = next + 1 & mask) {
      int way = next - hashes[next] & mask;
      if (way < (next - free & mask)) continue; // it would be before its own place
      hashes[free] = hashes[next];
      rows[free] = rows[next];
      free = next;
    }
    hashes[free] = FREE;
    rows[free] = null;
  }

  /** The number of places, each of which holds a row or none. It grows with the rows. */
  int places() {
    return hashes.length;
  }

  /** There always is one. */
  int freePlace() {
    int place = 0;
    while (isUsed(place)) place++;
    return place;
  }

  boolean isUsed(int place) {
    return hashes[place] != FREE;
  }

  byte[] key(int place) {
    byte[] row = rows[place];
    return Arrays.copyOfRange(row, Integer.BYTES, valueAt(row));
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
    int place = hash & mask;
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

  private void widen() {
    int[] narrowHashes = hashes;
    byte[][] narrowRows = rows;
    hashes = new int[2 * narrowHashes.length];
    rows = new byte[hashes.length][];
    int mask = hashes.length - 1;
    for (int i = 0; i < narrowHashes.length; i++) {
      if (narrowHashes[i] == FREE) continue;
      int place = narrowHashes[i] & mask;
      while (isUsed(place)) place = place + 1 & mask;
      hashes[place] = narrowHashes[i];
      rows[place] = narrowRows[i];
    }
  }
}
