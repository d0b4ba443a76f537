package io.sluice.rules.limit;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Rule;
import io.sluice.limiter.ValueHash;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Named limit: the events that it applies to, the key that it counts them by, and the treatment of
 * those that do not conform.
 *
 * @param distinct fields whose distinct values it counts instead of events; empty if it counts
 *     events
 */
public record Limit(
    Rule rule,
    Match match,
    LimitKey key,
    List<Field> distinct,
    Backend backend,
    Exceeded exceeded,
    RedisUnavailable redisUnavailable) {

  public Limit {
    distinct = List.copyOf(distinct);
  }

  /** Returns a copy for other events. */
  Limit with(Match other) {
    return new Limit(rule, other, key, distinct, backend, exceeded, redisUnavailable);
  }

  /** Returns a copy with another rule. */
  public Limit with(Rule other) {
    return new Limit(other, match, key, distinct, backend, exceeded, redisUnavailable);
  }

  /**
   * Returns a copy with {@code redis.unavailable=wait}: in a simulation, the verdicts would
   * otherwise depend on when Redis happens to be unavailable.
   */
  public Limit waitingForRedis() {
    return new Limit(rule, match, key, distinct, backend, exceeded, RedisUnavailable.WAIT);
  }

  /** Returns the bucket that counts an event, which must match. */
  Bucket bucket(Event event) {
    return new Bucket(rule, key.of(event), key.tagOf(event), value(event));
  }

  private ValueHash value(Event event) {
    if (distinct.isEmpty()) return ValueHash.NONE;
    return ValueHash.of(distinct.stream().map(field -> field.of(event)).toList());
  }

  /** Returns the buckets that count an event, in the order of the limits, which must match it. */
  public static List<Bucket> buckets(List<Limit> limits, Event event) {
    if (limits.size() == 1) return List.of(limits.get(0).bucket(event));
    List<Bucket> buckets = new ArrayList<>(limits.size());
    for (Limit limit : limits) buckets.add(limit.bucket(event));
    return buckets;
  }

  /** Returns whether the state store counts for this limit while Redis is unavailable. */
  public boolean fallsBack() {
    return backend == Backend.REDIS && redisUnavailable == RedisUnavailable.STATE_STORE;
  }

  /**
   * Returns the mistake in the limit's {@code unless}, given all limits; empty if there is none.
   */
  public Optional<String> mistakeAmong(List<Limit> all) {
    return Unless.mistake(this, all);
  }

  public String name() {
    return rule.name();
  }

  /** Treatment of a limit's events while Redis is unavailable. */
  public enum RedisUnavailable {
    /** Events wait until Redis is back. */
    WAIT,
    /** The limit does not apply. */
    ALLOW,
    /** All events are rejected. */
    REJECT,
    /** Each partition counts for itself in the state store. */
    STATE_STORE
  }

  /** Storage of a limit's counts. */
  public enum Backend {
    /** State store, where each partition has counts of its own. */
    STATE_STORE,
    /** Redis, where all partitions share the counts. */
    REDIS
  }

  /** Returns whether events over the limit are metered again later. */
  public boolean retries() {
    return exceeded instanceof Exceeded.Retry;
  }

  /** Treatment of an event that does not conform to the limit. */
  public sealed interface Exceeded {
    /** Names of the treatments in the configuration. */
    enum Kind {
      REJECT,
      DELAY,
      RETRY
    }

    /** Rejects the event at once. */
    record Reject() implements Exceeded {}

    /** Reserves the next free slot, if that is at most {@code maxWaitMicros} away, inclusive. */
    record Delay(long maxWaitMicros) implements Exceeded {}

    /**
     * Meters the event again after the wait that the limit gives, lengthened by up to {@code
     * jitter} times that wait.
     *
     * @param attempts number of meterings, the first included, after which the event is rejected
     * @param jitter 0 to 1
     */
    record Retry(int attempts, double jitter) implements Exceeded {}

    /** Returns the longest wait for a reserved slot, microseconds; 0 if the limit reserves none. */
    default long patienceMicros() {
      return this instanceof Delay delay ? delay.maxWaitMicros() : 0;
    }
  }
}
