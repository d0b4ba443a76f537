package io.sluice.limiter;

/**
 * The newest events that were metered, and when: a memory beside states that are too small to hold
 * one. Remembers at least the last {@value #MOST} events and at most twice as many, in 2 to 4 MiB
 * at most. Not thread-safe.
 */
public final class RecentEvents {
  /*
   * Two open-addressing tables. When the newer one is full it becomes the older one, and what the
   * older one held is forgotten all at once: no order to keep, nothing to expire one by one.
   */
  static final int MOST = 1 << 16;

  private Table newer = new Table(64);
  private Table older = new Table(1);

  void put(long hash, long met) {
    if (newer.count == MOST) {
      older = newer;
      newer = new Table(64);
    }
    newer = newer.with(hash, met);
  }

  /** What was put, or {@link KeyState#NOT_MET}. */
  long get(long hash) {
    long met = newer.get(hash);
    return met != KeyState.NOT_MET ? met : older.get(hash);
  }

  private static final class Table {
    private final long[] slots; // hash, met, hash, met ...; 0 as hash is free
    private final int mask;
    private int count;

    Table(int capacity) {
      slots = new long[4 * capacity];
      mask = 2 * capacity - 1;
    }

    long get(long hash) {
      int slot = slot(hash);
      return slots[2 * slot] == 0 ? KeyState.NOT_MET : slots[2 * slot + 1];
    }

    Table with(long hash, long met) {
      Table roomy = 2 * count > mask ? doubled() : this;
      int slot = roomy.slot(hash);
      if (roomy.slots[2 * slot] == 0) roomy.count++;
      roomy.slots[2 * slot] = used(hash);
      roomy.slots[2 * slot + 1] = met;
      return roomy;
    }

    private Table doubled() {
      Table wider = new Table(mask + 1);
      for (int i = 0; i < slots.length; i += 2) {
        if (slots[i] != 0) wider.with(slots[i], slots[i + 1]);
      }
      return wider;
    }

    private int slot(long hash) {
      long key = used(hash);
      int slot = (int) (key >>> 32) & mask;
      while (slots[2 * slot] != 0 && slots[2 * slot] != key) slot = slot + 1 & mask;
      return slot;
    }

    private static long used(long hash) {
      return hash == 0 ? 1 : hash;
    }
  }
}
