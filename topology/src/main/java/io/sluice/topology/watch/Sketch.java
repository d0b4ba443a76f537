package io.sluice.topology.watch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Approximate counter of the keys that had most events in one minute, in fixed memory. One thread
 * counts; other threads may copy the counts.
 */
final class Sketch {
  /*
   * Algorithm Space-Saving (Metwally, Agrawal, El Abbadi, 2005). CAPACITY keys have a counter. If a
   * key without a counter comes, it takes over the counter with the lowest count, and this count
   * becomes the error of the new key. So of N events, a key with more than N / CAPACITY events has
   * a counter, and a key's count is too high by at most its error. The counters are ordered by
   * count. Before a count grows, its counter is swapped with the first counter that has the same
   * count, which a binary search finds, so the order remains correct.
   */
  static final int CAPACITY = 256;

  /** Number of slots of the hash table: a power of two, of which three quarters stay free. */
  private static final int TABLE = 4 * CAPACITY;

  private final SequenceLock changes = new SequenceLock();
  private final String[] keys = new String[CAPACITY];
  private final long[] hashes = new long[CAPACITY];
  private final long[] counts = new long[CAPACITY];
  private final long[] errors = new long[CAPACITY];

  /** Indexes of the keys' counters, in descending order of their counts. */
  private final short[] order = new short[CAPACITY];

  /** For each counter index, its position in the descending order of counts. */
  private final short[] ranks = new short[CAPACITY];

  /** Hash table of the keys' counters: counter index + 1 in a used slot, 0 in a free slot. */
  private final short[] table = new short[TABLE];

  private int size;
  private long total;
  private long stretch = Long.MIN_VALUE;

  /**
   * Counts an event of a key in the current minute. The first event of another minute clears all
   * counts.
   *
   * @param now number of the minute since the epoch
   */
  void count(String key, long now) {
    long hash = KeyText.hash(key);
    int place = find(hash, key);
    String entering = place < 0 || now != stretch ? KeyText.kept(key) : "";
    changes.begin();
    if (now != stretch) {
      clear(now);
      place = -1;
    }
    raise(place < 0 ? enter(hash, entering) : place);
    total++;
    changes.end();
  }

  private void clear(long now) {
    Arrays.fill(keys, null);
    Arrays.fill(table, (short) 0);
    size = 0;
    total = 0;
    stretch = now;
  }

  private int find(long hash, String key) {
    for (int at = slot(hash); table[at] != 0; at = next(at)) {
      int place = table[at] - 1;
      if (hashes[place] == hash && KeyText.same(keys[place], key)) return place;
    }
    return -1;
  }

  private int enter(long hash, String key) {
    int place = size < CAPACITY ? add() : replace();
    keys[place] = key;
    hashes[place] = hash;
    int at = slot(hash);
    while (table[at] != 0) at = next(at);
    table[at] = (short) (place + 1);
    return place;
  }

  private int add() {
    int place = size++;
    order[place] = (short) place;
    ranks[place] = (short) place;
    counts[place] = 0;
    errors[place] = 0;
    return place;
  }

  private int replace() {
    int place = order[CAPACITY - 1];
    errors[place] = counts[place];
    int at = slot(hashes[place]);
    while (table[at] != place + 1) at = next(at);
    remove(at);
    return place;
  }

  /**
   * Frees a slot of the hash table (linear probing), and moves back the counter indexes of later
   * slots that a lookup would no longer reach.
   */
  private void remove(int removed) {
    int gap = removed;
    for (int at = next(gap); table[at] != 0; at = next(at)) {
      int home = slot(hashes[table[at] - 1]);
      if ((at - home & TABLE - 1) < (at - gap & TABLE - 1)) continue;
      table[gap] = table[at];
      gap = at;
    }
    table[gap] = 0;
  }

  private void raise(int place) {
    int rank = ranks[place];
    long count = counts[place];
    if (rank > 0 && counts[order[rank - 1]] == count) swap(rank, first(count, rank));
    counts[place] = count + 1;
  }

  /**
   * Returns the first position in the order of counters with the given count, by binary search.
   *
   * @param rank a position with this count
   */
  private int first(long count, int rank) {
    int low = 0;
    int high = rank;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (counts[order[middle]] > count) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private void swap(int one, int other) {
    short place = order[one];
    order[one] = order[other];
    order[other] = place;
    ranks[order[one]] = (short) one;
    ranks[order[other]] = (short) other;
  }

  private static int slot(long hash) {
    return (int) hash & TABLE - 1;
  }

  private static int next(int slot) {
    return slot + 1 & TABLE - 1;
  }

  /** Copies the counts of a minute; the copy is empty if the counts are of another minute. */
  Copy copy(long of) {
    Copy copy = changes.whole(() -> new Copy(this));
    return copy.stretch == of ? copy : new Copy(new Sketch());
  }

  /** Immutable copy of the keys and counts of one minute. */
  static final class Copy {
    private final long stretch;
    private final int size;
    private final long total;
    private final String[] keys;
    private final long[] counts;
    private final long[] errors;

    private Copy(Sketch from) {
      stretch = from.stretch;
      size = from.size;
      total = from.total;
      keys = from.keys.clone();
      counts = from.counts.clone();
      errors = from.errors.clone();
    }

    Top top() {
      List<Top.Heavy> heavy = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        if (keys[i] != null) heavy.add(new Top.Heavy(keys[i], counts[i] - errors[i], counts[i]));
      }
      return new Top(heavy, floor(), total, 0);
    }

    /** Upper bound on the number of events of a key that has no counter. */
    private long floor() {
      return size < CAPACITY ? 0 : Arrays.stream(counts).min().orElse(0);
    }

    /**
     * Number of all events of the minute. It equals the sum of the keys' counts if the copy is
     * consistent.
     */
    long total() {
      return total;
    }

    long sum() {
      return Arrays.stream(counts, 0, size).sum();
    }
  }

  /**
   * Ring of counters of the keys with most events: one counter for each of the last six minutes, so
   * that old events expire. One thread counts; other threads may read.
   */
  static final class Slices {
    static final long SLICE_MS = 60_000;

    /** Number of minutes that are kept: the current minute and the five minutes before it. */
    static final int SLICES = 6;

    static final Slices NONE = new Slices();

    private final Sketch[] ring = Stream.generate(Sketch::new).limit(SLICES).toArray(Sketch[]::new);

    void count(String key, long nowMs) {
      long minute = Math.floorDiv(nowMs, SLICE_MS);
      at(minute).count(key, minute);
    }

    private Sketch at(long minute) {
      return ring[Math.floorMod(minute, SLICES)];
    }

    /** Returns, for each of the last six minutes, the keys with most events. */
    Stream<Top> tops(long nowMs) {
      long now = Math.floorDiv(nowMs, SLICE_MS);
      return LongStream.rangeClosed(now - SLICES + 1, now)
          .mapToObj(minute -> at(minute).copy(minute).top());
    }

    /**
     * Length of the time that the kept minutes cover now, milliseconds: between 5 and 6 minutes.
     */
    static long windowMs(long nowMs) {
      return (SLICES - 1) * SLICE_MS + Math.floorMod(nowMs, SLICE_MS);
    }
  }
}
