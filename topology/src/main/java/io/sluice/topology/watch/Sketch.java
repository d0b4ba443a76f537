package io.sluice.topology.watch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys that had most events in a stretch of time. For one thread that counts, and others that
 * copy.
 */
final class Sketch {
  /*
   * Space-Saving (Metwally, Agrawal, El Abbadi, 2005). A key without a place takes that of the key
   * with the least count, and its count, which is the error of the new one from then on. So of N
   * events, a key that had more than N / CAPACITY has a place, and a count is too high by its error
   * at most.
   *
   * Places are ordered by count. One more for a place moves it to the front of those with the same
   * count first, so the order stays; they are found by halving.
   */
  static final int CAPACITY = 256;

  private static final int TABLE = 4 * CAPACITY; // a power of two; three quarters stay free

  private final Changes changes = new Changes();
  private final String[] keys = new String[CAPACITY];
  private final long[] hashes = new long[CAPACITY];
  private final long[] counts = new long[CAPACITY];
  private final long[] errors = new long[CAPACITY];
  private final short[] order = new short[CAPACITY]; // places, most first
  private final short[] ranks = new short[CAPACITY]; // where each place is in the order
  private final short[] table = new short[TABLE]; // place + 1; 0 is free
  private int size;
  private long total;
  private long stretch = Long.MIN_VALUE;

  /** Counts an event in a stretch of time; what was counted in another is forgotten. */
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

  /** Moves those behind it that would not be found across the gap. */
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

  /** The first rank with a count that the rank has. */
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

  /** What it has counted in a stretch of time. */
  Copy copy(long of) {
    Copy copy = changes.whole(() -> new Copy(this));
    return copy.stretch == of ? copy : new Copy(new Sketch());
  }

  /** A state of a sketch, which does not change. */
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

    /** The most events that a key without a place may have had. */
    private long floor() {
      return size < CAPACITY ? 0 : Arrays.stream(counts).min().orElse(0);
    }

    /** All events; that of its counts, if it is whole. */
    long total() {
      return total;
    }

    long sum() {
      return Arrays.stream(counts, 0, size).sum();
    }
  }
}
