package io.sluice.limiter;

import io.sluice.limiter.Decision.Blocked;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.Decision.Waiting;
import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rate limiter that keeps the state of all keys in the memory of this process. Thread-safe; threads
 * that meter different keys do not wait for each other. Keys that are fully reset are removed from
 * time to time, when new keys are added.
 */
public final class InProcessLimiter implements RateLimiter {
  private static final int LEAST_KEYS_TO_SWEEP = 16_384;

  private final Rule rule;
  private final InstantSource clock;
  private final boolean onlyRefuses;
  private final ConcurrentHashMap<String, Key> keys = new ConcurrentHashMap<>();
  private final AtomicInteger sweepAt = new AtomicInteger(LEAST_KEYS_TO_SWEEP);

  /**
   * State and block of one key, and whether the limiter has removed the key. Guarded by its own
   * monitor.
   */
  private static final class Key {
    private KeyState state;
    private long blockedUntilMicros;
    private boolean forgotten;

    Key(Rule rule) {
      state = rule.algorithm().traits().inMemory(rule);
    }

    long neededUntil() {
      return Math.max(state.forgottenAt(), blockedUntilMicros);
    }
  }

  public InProcessLimiter(Quota quota, Algorithm algorithm) {
    this(quota, algorithm, InstantSource.system());
  }

  /** Creates a limiter that takes the time of arrivals from this clock. */
  public InProcessLimiter(Quota quota, Algorithm algorithm, InstantSource clock) {
    this(Rule.policing("in-process", quota, algorithm), clock);
  }

  /**
   * Creates a limiter for a rule that refuses non-conforming arrivals, without delaying them. The
   * rule's numbers may {@linkplain Rule#changing change}.
   */
  public InProcessLimiter(Rule rule, InstantSource clock) {
    requirePolicing(rule);
    for (Schedule.Phase each : rule.schedule().phases()) requirePolicing(each.rule());
    this.rule = rule;
    this.clock = clock;
    onlyRefuses = rule.schedule().isEmpty() && !rule.blocks();
  }

  private static void requirePolicing(Rule rule) {
    if (rule.algorithm().countsDistinct()) {
      throw new IllegalArgumentException(
          "a limiter in this process cannot count distinct values: " + rule);
    }
    if (rule.shapes() || rule.countsAttempts() || rule.shadow()) {
      throw new IllegalArgumentException(
          "a limiter in this process can only refuse, without delay, shadow or attempts: " + rule);
    }
  }

  @Override
  public Decision meter(String key, long cost) {
    Instant now = clock.instant();
    return meter(
        key, new Arrival("", cost, now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000));
  }

  @Override
  public Decision meter(String key, Arrival arrival) {
    while (true) {
      Key held = keys.get(key);
      if (held == null) held = keep(key);
      synchronized (held) {
        if (!held.forgotten) return meter(held, arrival);
      }
    }
  }

  private Decision meter(Key held, Arrival arrival) {
    return isPlain(arrival) && held.state instanceof GcraState funnel
        ? funnel.police(arrival.nowMicros(), arrival.cost())
        : meterByAll(held, arrival);
  }

  /**
   * Whether the rule never changes and never blocks, and the arrival has no identity and a cost
   * from 1 to the capacity, so that the GCRA arithmetic alone decides.
   */
  private boolean isPlain(Arrival arrival) {
    long cost = arrival.cost();
    return onlyRefuses
        && arrival.identity().event() == 0
        && cost > 0
        && cost <= rule.capacity()
        && !arrival.isRelease();
  }

  private Decision meterByAll(Key held, Arrival arrival) {
    long now = arrival.judgedAtMicros(rule, held.state.clockMicros(), held.blockedUntilMicros);
    KeyState state = held.state.carriedTo(now);
    Fingerprint fingerprint = arrival.identity().fingerprint();
    PriorCharge prior = state.prior(now, fingerprint);
    boolean charged = prior instanceof PriorCharge.SameRecord;
    Rule inForce = rule.at(now);
    long cost = arrival.cost();
    long capacity = inForce.capacity();
    long conformsAt = state.conformsAt(now, Math.min(cost, capacity));
    if (isBlocked(held, now)) return blocked(held, state, charged, now);
    if (cost > capacity) {
      return new Oversized(cost, capacity, state.remaining(now), resetAfter(state, now));
    }
    long slot = prior instanceof PriorCharge.SameRecord same ? same.atMicros() : conformsAt;
    long wait = Math.max(0, slot - now);
    if (!charged && wait > arrival.patienceMicros(inForce, now)) {
      return refuse(held, state, inForce, arrival, now);
    }
    if (!charged && cost > 0) {
      state.charge(now, slot, cost, fingerprint);
      held.state = state;
      held.blockedUntilMicros = 0;
    }
    long remaining = state.remaining(now);
    long reset = resetAfter(state, now);
    return wait == 0 ? new Conforming(remaining, reset) : new Waiting(remaining, wait, reset);
  }

  private boolean isBlocked(Key held, long now) {
    return held.blockedUntilMicros > now
        && !rule.schedule().beginsAnew(held.state.clockMicros(), now);
  }

  private static Decision blocked(Key held, KeyState state, boolean charged, long now) {
    long wait = held.blockedUntilMicros - now;
    long reset = Math.max(wait, resetAfter(state, now));
    return charged ? new Conforming(0, reset) : new Blocked(wait, reset);
  }

  /**
   * Refuses an arrival over the quota, and blocks the key if the rule blocks and the arrival's cost
   * is above 0.
   */
  private static Decision refuse(
      Key held, KeyState state, Rule inForce, Arrival arrival, long now) {
    long wait = state.conformsAt(now, arrival.cost()) - now;
    boolean mayBlock = arrival.cost() > 0 && !arrival.isRelease();
    long block = mayBlock ? inForce.blockMicros() : 0;
    if (block == 0) {
      return new NonConforming(state.remaining(now), wait, resetAfter(state, now));
    }
    held.blockedUntilMicros = now + block;
    return new NonConforming(0, Math.max(wait, block), Math.max(block, resetAfter(state, now)));
  }

  private static long resetAfter(KeyState state, long nowMicros) {
    return Math.max(0, state.newAt() - nowMicros);
  }

  private Key keep(String key) {
    Bucket.requireKey(key);
    int threshold = sweepAt.get();
    if (keys.size() >= threshold && sweepAt.compareAndSet(threshold, Integer.MAX_VALUE)) {
      sweep();
      sweepAt.set(Math.max(LEAST_KEYS_TO_SWEEP, 2 * keys.size()));
    }
    return keys.computeIfAbsent(key, absent -> new Key(rule));
  }

  /**
   * Removes the keys whose state and block influence no decision from the latest clock of all keys
   * on.
   */
  private void sweep() {
    long latestMicros = 0;
    for (Key held : keys.values()) {
      synchronized (held) {
        latestMicros = Math.max(latestMicros, held.state.clockMicros());
      }
    }
    for (String name : keys.keySet()) forget(name, latestMicros);
  }

  private void forget(String name, long nowMicros) {
    Key held = keys.get(name);
    if (held == null) return;
    synchronized (held) {
      if (held.neededUntil() > nowMicros) return;
      held.forgotten = true;
      keys.remove(name, held);
    }
  }

  /** Returns the number of keys in memory. */
  int size() {
    return keys.size();
  }
}
