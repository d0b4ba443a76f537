package io.sluice.rules.revision;

import io.sluice.limiter.EventHash;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Matching;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Looks up the limits that match one event after another, with a small cache of the stable results
 * for recent keys. With a hundred thousand overrides, a cache hit takes one memory access instead
 * of five that depend on each other. For one thread.
 */
final class LimitLookup implements LimitsInForce.Lookup {
  /*
   * A key is known by 48 bits of a hash that begins with a secret, so that no user can search for a
   * name that is taken for another user's. A key that is not cached is taken for a cached one with
   * a probability of the number of entries in 2^48, which is less than one in two billion. The
   * other 16 bits of an entry are the number of its result, which many keys share. So a lookup
   * reads one cache line, and the table grows only as far as the keys need it.
   */
  private static final int LEAST_ENTRIES = 1 << 10;

  private static final int MOST_ENTRIES = 1 << 17;

  /** Number of adjacent entries of the table, any of which may hold a given key. */
  private static final int WAYS = 4;

  /** The table is large enough while fewer than one in this number of lookups replaces an entry. */
  private static final int FEW = 64;

  private static final int MOST_TREATMENTS = 1 << 16;

  private static final long WHICH = MOST_TREATMENTS - 1;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Lookup without a cache, which many threads may use at the same time. */
  static final LimitLookup FORGETTING = new LimitLookup(false);

  private final boolean remembers;
  private final long secret = RANDOM.nextLong();

  /**
   * Table of cached keys, created with the first override. An entry has 48 bits of a key's hash,
   * and the number of the key's result.
   */
  private long[] entries = {};

  /** Cached results by their numbers; number 0 stands for no result. */
  private final List<SharedTreatment> treatments = new ArrayList<>();

  private final IdentityHashMap<SharedTreatment, Integer> numbers = new IdentityHashMap<>();

  /** Numbers of replaced entries and of lookups since the size of the table was last considered. */
  private int replaced;

  private long looked;

  private LimitsInForce of;

  /** Revisions of the limit that was looked up last: most events need the same limit. */
  private History last;

  private String lastName = "";

  /** Instant in epoch milliseconds from which on all cached results are stable. */
  private long settledFromMs = Long.MIN_VALUE;

  LimitLookup() {
    this(true);
  }

  private LimitLookup(boolean remembers) {
    this.remembers = remembers;
  }

  @Override
  public Matching matching(LimitsInForce limits, Event event, long ms) {
    if (limits != of) forget(limits);
    return limits.matching(event, ms, this);
  }

  private void forget(LimitsInForce limits) {
    of = limits;
    lastName = "";
    begin(0);
    settledFromMs = Long.MIN_VALUE;
  }

  private void begin(int size) {
    entries = new long[size];
    replaced = 0;
    looked = 0;
    treatments.clear();
    numbers.clear();
    // Number 0 marks an empty entry of the table, so no real result may get it.
    number(SharedTreatment.NOTHING);
  }

  /** Returns the number of a result; a new result gets the next number. */
  private long number(SharedTreatment shared) {
    return numbers.computeIfAbsent(
        shared,
        another -> {
          treatments.add(another);
          return treatments.size() - 1;
        });
  }

  History history(RevisionIndex index, String name) {
    if (!remembers) return index.history(name);
    if (!name.equals(lastName)) {
      last = index.history(name);
      lastName = name;
    }
    return last;
  }

  /**
   * Returns the stable treatment of an event at an instant; {@link SharedTreatment#NOTHING} if
   * there is none.
   */
  SharedTreatment settled(History history, Event event, long ms) {
    if (!remembers || !history.hasScopes()) return history.settled(event).at(ms);
    long hash = EventHash.of(secret, history.number(), history.key(event));
    if (entries.length == 0) begin(LEAST_ENTRIES);
    looked++;
    int first = first(hash);
    for (int at = first; at < first + WAYS; at++) {
      if (((entries[at] ^ hash) & ~WHICH) == 0 && entries[at] != 0 && settledFromMs <= ms) {
        return treatments.get((int) (entries[at] & WHICH));
      }
    }
    StableTreatment found = history.settled(event);
    SharedTreatment shared = found.at(ms);
    if (!shared.isNothing()) remember(hash, found);
    return shared;
  }

  /**
   * Returns the index of the first entry that may hold a hash. It is made of hash bits that the
   * entry stores, so that the table can grow without the keys.
   */
  private int first(long hash) {
    return (int) (hash >>> 40) & (entries.length - WAYS);
  }

  private void remember(long hash, StableTreatment found) {
    if (replaced == entries.length) growIfWorthIt();
    if (treatments.size() == MOST_TREATMENTS) begin(entries.length);
    int at = free(first(hash));
    entries[at] = (hash & ~WHICH) | number(found.shared());
    settledFromMs = Math.max(settledFromMs, found.fromMs());
  }

  private void growIfWorthIt() {
    boolean many = looked < (long) FEW * replaced;
    replaced = 0;
    looked = 0;
    if (many && entries.length < MOST_ENTRIES) grow();
  }

  private void grow() {
    long[] before = entries;
    entries = new long[2 * before.length];
    for (long each : before) if (each != 0) entries[free(first(each))] = each;
    replaced = 0;
  }

  /**
   * Returns the index of an empty entry for a hash; if all its {@link #WAYS} entries are in use,
   * the index of one of them in turn, which is replaced.
   */
  private int free(int first) {
    for (int at = first; at < first + WAYS; at++) if (entries[at] == 0) return at;
    return first + replaced++ % WAYS;
  }
}
