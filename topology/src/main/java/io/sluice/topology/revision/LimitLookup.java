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
public final class LimitLookup {
  /*
   * A key is known by 48 bits of a hash that nobody outside can compute, since it begins with a
   * secret: so nobody can look for a name that is taken for a friend's. Of a billion lookups, one
   * in more than two hundred thousand such billions would meet a wrong one. The other 16 bits of
   * an entry say what was settled, which is the same for most: so a look is at one line of memory,
   * and the memory is only as large as the keys that come need it.
   */
  private static final int LEAST_SLOTS = 1 << 10;

  private static final int MOST_SLOTS = 1 << 17;

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

  /** How many entries had to make room since the memory was made. */
  private int replaced;

  private LimitsInForce of;

  /** All that is remembered is settled from here on. */
  private long settledFromMs = Long.MIN_VALUE;

  public LimitLookup() {
    this(true);
  }

  private LimitLookup(boolean remembers) {
    this.remembers = remembers;
  }

  /**
   * The limits by which an event is metered that comes at an instant; each with the numbers of all
   * the time, since a bucket is judged by its own clock.
   */
  public Matching matching(LimitsInForce limits, Event event, long ms) {
    if (limits != of) forget(limits);
    return limits.matching(event, ms, this);
  }

  private void forget(LimitsInForce limits) {
    of = limits;
    begin(0);
    settledFromMs = Long.MIN_VALUE;
  }

  private void begin(int slots) {
    entries = new long[slots];
    replaced = 0;
    holdings.clear();
    numbers.clear();
    number(Holding.NOTHING);
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

  /** What is settled at an instant for an event; {@link Holding#NOTHING} if nothing is. */
  Holding settled(History history, Event event, long ms) {
    if (!remembers || !history.hasScopes()) return history.settled(event).at(ms);
    long hash = EventHash.of(secret, history.number(), history.key(event));
    if (entries.length == 0) begin(LEAST_SLOTS);
    long entry = entries[(int) hash & (entries.length - 1)];
    int which = (int) (entry & WHICH);
    boolean remembered = which > 0 && ((entry ^ hash) & ~WHICH) == 0 && settledFromMs <= ms;
    if (remembered) return holdings.get(which);
    Settled found = history.settled(event);
    Holding holding = found.at(ms);
    if (!holding.isNothing()) remember(hash, found);
    return holding;
  }

  private void remember(long hash, Settled found) {
    if (replaced > entries.length && entries.length < MOST_SLOTS) begin(2 * entries.length);
    if (holdings.size() == MOST_HOLDINGS) begin(entries.length);
    int slot = (int) hash & (entries.length - 1);
    if (entries[slot] != 0) replaced++;
    entries[slot] = (hash & ~WHICH) | number(found.holding());
    settledFromMs = Math.max(settledFromMs, found.fromMs());
  }
}
