package io.sluice.topology.revision;

import io.sluice.limiter.EventHash;
import io.sluice.topology.event.Event;
import io.sluice.topology.limit.Matching;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The limits that match one event after another, with a short memory of what was settled for the
 * last keys. Among a hundred thousand overrides that is one look at memory instead of five, each of
 * which has to wait for the one before. For one thread.
 */
public final class LimitLookup {
  /*
   * A key is known by 64 bits of a hash that nobody outside can compute, since it begins with a
   * secret: so nobody can look for a name that is taken for a friend's. Of a billion lookups among
   * a hundred thousand overrides, one in two hundred thousand such billions would meet a wrong one.
   */
  private static final int LEAST_SLOTS = 1 << 10;

  private static final int MOST_SLOTS = 1 << 17;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Remembers nothing, and so is for many threads. */
  static final LimitLookup FORGETTING = new LimitLookup(false);

  private final boolean remembers;
  private final long secret = RANDOM.nextLong();

  /** Made when there is the first override. */
  private long[] hashes = {};

  private Holding[] holdings = {};
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
    hashes = new long[0];
    holdings = new Holding[0];
    settledFromMs = Long.MIN_VALUE;
  }

  /** What is settled at an instant for an event; {@link Holding#NOTHING} if nothing is. */
  Holding settled(History history, Event event, long ms) {
    if (!remembers || !history.hasScopes()) return history.settled(event).at(ms);
    long hash = EventHash.of(secret, history.number(), history.key(event));
    if (hashes.length == 0) begin();
    int slot = (int) hash & (hashes.length - 1);
    if (hashes[slot] == hash && settledFromMs <= ms) return holdings[slot];
    Settled found = history.settled(event);
    Holding holding = found.at(ms);
    if (!holding.isNothing()) remember(slot, hash, found);
    return holding;
  }

  private void begin() {
    int slots = slots(of.size());
    hashes = new long[slots];
    holdings = new Holding[slots];
    Arrays.fill(holdings, Holding.NOTHING);
  }

  /** With few overrides a closer look is as near, and need not be spared. */
  private static int slots(int revisions) {
    int enough = Integer.highestOneBit(Math.max(1, revisions)) * 2;
    return Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, enough));
  }

  private void remember(int slot, long hash, Settled found) {
    hashes[slot] = hash;
    holdings[slot] = found.holding();
    settledFromMs = Math.max(settledFromMs, found.fromMs());
  }
}
