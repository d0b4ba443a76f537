package io.sluice.rules.revision;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Hash map whose changed copies share nearly everything with the original. Immutable. */
final class PersistentMap<V extends PersistentMap.Keyed> {
  /*
   * A hash table in chunks: there are as many chunks as slots in each, so a change copies two
   * arrays of the square root of the size. With a hundred thousand values a trie would have four
   * levels of nodes, each somewhere else in memory; in this table a lookup takes two steps.
   *
   * A slot holds nothing, a value, or an array of values whose keys have the same bits.
   */
  private static final int MOST_BITS = 15;

  private final int bits;
  private final Object[][] chunks;
  private final int size;

  /** Value that contains its key. */
  interface Keyed {
    String key();

    /**
     * Returns the hash of the value's key. Types of values that are often looked up store the hash
     * beside the key, which spares an access to the key.
     */
    default int hash() {
      return key().hashCode();
    }

    default boolean hasKey(String key) {
      return hash() == key.hashCode() && key().equals(key);
    }
  }

  private PersistentMap(int bits, Object[][] chunks, int size) {
    this.bits = bits;
    this.chunks = chunks;
    this.size = size;
  }

  static <V extends Keyed> PersistentMap<V> empty() {
    return new PersistentMap<>(0, new Object[1][1], 0);
  }

  int size() {
    return size;
  }

  Optional<V> find(String key) {
    return Optional.ofNullable(get(key, null));
  }

  /** Returns the value with this key, or {@code otherwise} if there is none. */
  @SuppressWarnings("unchecked") // the map contains values of V only
  V get(String key, V otherwise) {
    int hash = spread(key);
    Object slot = chunks[chunk(hash, bits)][place(hash, bits)];
    if (slot == null) return otherwise;
    if (slot instanceof Object[] row) {
      int at = find(row, key);
      return at < row.length ? (V) row[at] : otherwise;
    }
    V value = (V) slot;
    return value.hasKey(key) ? value : otherwise;
  }

  /** Returns a copy with this value, which replaces an earlier value with the same key. */
  PersistentMap<V> with(V value) {
    boolean isNew = find(value.key()).isEmpty();
    boolean isFull = size >= 1 << (2 * bits - 1) && bits < MOST_BITS;
    if (isNew && isFull) return wider().with(value);
    int hash = spread(value.key());
    Object slot = chunks[chunk(hash, bits)][place(hash, bits)];
    return changed(hash, put(slot, value), isNew ? size + 1 : size);
  }

  /**
   * Returns a copy with these values, each of which replaces an earlier value with the same key.
   */
  PersistentMap<V> with(Collection<V> more) {
    if (more.size() < 1 << bits) {
      PersistentMap<V> all = this;
      for (V each : more) all = all.with(each);
      return all;
    }
    // For so many values, copying the whole table once is cheaper than copying two arrays for each.
    int enough = bits;
    while (size + more.size() > 1 << (2 * enough - 1) && enough < MOST_BITS) enough++;
    Object[][] table = table(enough);
    int count = size;
    for (V each : more) if (put(table, enough, each)) count++;
    return new PersistentMap<>(enough, table, count);
  }

  /** Returns a copy without the value that has this key. */
  PersistentMap<V> without(String key) {
    if (find(key).isEmpty()) return this;
    int hash = spread(key);
    Object slot = chunks[chunk(hash, bits)][place(hash, bits)];
    return changed(hash, slot instanceof Object[] row ? without(row, key) : null, size - 1);
  }

  private PersistentMap<V> changed(int hash, Object slot, int newSize) {
    Object[][] copy = chunks.clone();
    int chunk = chunk(hash, bits);
    copy[chunk] = copy[chunk].clone();
    copy[chunk][place(hash, bits)] = slot;
    return new PersistentMap<>(bits, copy, newSize);
  }

  private PersistentMap<V> wider() {
    return new PersistentMap<>(bits + 1, table(bits + 1), size);
  }

  /** Returns a new table of this size, with all values of the map. */
  private Object[][] table(int ofBits) {
    Object[][] table = new Object[1 << ofBits][1 << ofBits];
    forEach(value -> put(table, ofBits, value));
    return table;
  }

  /**
   * Puts a value into a table that is not shared yet; returns whether its key is new in the table.
   */
  private static boolean put(Object[][] table, int bits, Keyed value) {
    int hash = spread(value.key());
    Object[] chunk = table[chunk(hash, bits)];
    int place = place(hash, bits);
    Object before = chunk[place];
    chunk[place] = put(before, value);
    return count(chunk[place]) > count(before);
  }

  private static int count(Object slot) {
    if (slot == null) return 0;
    return slot instanceof Object[] row ? row.length : 1;
  }

  private static Object put(Object slot, Keyed value) {
    if (slot == null) return value;
    Object[] row = slot instanceof Object[] several ? several : new Object[] {slot};
    int at = find(row, value.key());
    Object[] copy = Arrays.copyOf(row, Math.max(row.length, at + 1));
    copy[at] = value;
    return copy.length == 1 ? value : copy;
  }

  private static Object without(Object[] row, String key) {
    return row.length == 2
        ? row[1 - find(row, key)]
        : Arrays.stream(row).filter(each -> !((Keyed) each).key().equals(key)).toArray();
  }

  /**
   * Returns the index of a key in a slot's array of values; the array's length if the key is
   * absent.
   */
  private static int find(Object[] row, String key) {
    int at = 0;
    while (at < row.length && !((Keyed) row[at]).hasKey(key)) at++;
    return at;
  }

  boolean anyMatch(Predicate<V> matches) {
    boolean[] found = new boolean[1];
    forEach(each -> found[0] |= matches.test(each));
    return found[0];
  }

  @SuppressWarnings("unchecked") // the map contains values of V only
  void forEach(Consumer<V> action) {
    for (Object[] chunk : chunks) {
      for (Object slot : chunk) {
        if (slot instanceof Object[] row) for (Object each : row) action.accept((V) each);
        else if (slot != null) action.accept((V) slot);
      }
    }
  }

  private static int chunk(int hash, int bits) {
    return hash & ((1 << bits) - 1);
  }

  private static int place(int hash, int bits) {
    return (hash >>> 16) & ((1 << bits) - 1);
  }

  /**
   * Mixes the hash of a key, so that all its bits affect the lowest bits of both 16-bit halves, by
   * which chunk and slot are found.
   */
  private static int spread(String key) {
    int hash = key.hashCode() * 0x9E3779B9;
    return (hash ^ (hash >>> 15)) * 0x85EBCA6B;
  }
}
