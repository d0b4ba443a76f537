package io.sluice.topology.revision;

import io.sluice.limiter.EventHash;
import io.sluice.topology.event.Event;
import io.sluice.topology.limit.Matching;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The limits that match one event after another, with a short memory of what was settled for the
 * last keys. Among a hundred thousand overrides that is one look at memory instead of five, each of
 * which has to wait for the one before. For one thread.
 */
final class LimitLookup implements LimitsInForce.Lookup {
  /*
   * A key is known by 48 bits of a hash that nobody outside can compute, since it begins with a
   * secret: so nobody can look for a name that is taken for a friend's. Of a billion lookups, one
   * in more than two hundred thousand such billions would meet a wrong one. The other 16 bits of
   * an entry say what was settled, which is the same for most: so a look is at one line of memory,
   * and the memory is only as large as the keys that come need it.
   */
  private static final int LEAST_ENTRIES = 1 << 10;

  private static final int MOST_ENTRIES = 1 << 17;

  /** A key may be in any of so many entries side by side. */
  private static final int WAYS = 4;

  /** Where fewer of the lookups than one in so many make room for themselves, there is enough. */
  private static final int FEW = 64;

  private static final int MOST_HOLDINGS = 1 << 16;

  private static final long WHICH = MOST_HOLDINGS - 1;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Remembers nothing, and so is for many threads. */
  static final LimitLookup FORGETTING = new LimitLookup(false);

  private final boolean remembers;
  private final long secret = RANDOM.nextLong();

  /** Made when there is the first override: 48 bits of a hash, and the number of a holding. */
  private long[] entries = {};

  /** By their numbers. Whatever was not remembered has the first. */
  private final List<Holding> holdings = new ArrayList<>();

  private final IdentityHashMap<Holding, Integer> numbers = new IdentityHashMap<>();

  /** How many entries had to make room, of how many lookups; since it was last looked at. */
  private int replaced;

  private long looked;

  private LimitsInForce of;

  /** That of the limit that was asked about last: most events ask about one. */
  private History last;

  private String lastName = "";

  /** All that is remembered is settled from here on. */
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
    holdings.clear();
    numbers.clear();
    number(Holding.NOTHING); // 0 is no entry
  }

  /** Made when it is first asked for. */
  private long number(Holding holding) {
    return numbers.computeIfAbsent(
        holding,
        another -> {
          holdings.add(another);
          return holdings.size() - 1;
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

  /** What is settled at an instant for an event; {@link Holding#NOTHING} if nothing is. */
  Holding settled(History history, Event event, long ms) {
    if (!remembers || !history.hasScopes()) return history.settled(event).at(ms);
    long hash = EventHash.of(secret, history.number(), history.key(event));
    if (entries.length == 0) begin(LEAST_ENTRIES);
    looked++;
    int first = first(hash);
    for (int at = first; at < first + WAYS; at++) {
      if (((entries[at] ^ hash) & ~WHICH) == 0 && entries[at] != 0 && settledFromMs <= ms) {
        return holdings.get((int) (entries[at] & WHICH));
      }
    }
    Settled found = history.settled(event);
    Holding holding = found.at(ms);
    if (!holding.isNothing()) remember(hash, found);
    return holding;
  }

  /** By bits that an entry keeps. */
  private int first(long hash) {
    return (int) (hash >>> 40) & (entries.length - WAYS);
  }

  private void remember(long hash, Settled found) {
    if (replaced == entries.length) growIfWorthIt();
    if (holdings.size() == MOST_HOLDINGS) begin(entries.length);
    int at = free(first(hash));
    entries[at] = (hash & ~WHICH) | number(found.holding());
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

  /** Where there is none, they make room in turns. */
  private int free(int first) {
    for (int at = first; at < first + WAYS; at++) if (entries[at] == 0) return at;
    return first + replaced++ % WAYS;
  }
}
