package io.sluice.topology.limit;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Rule;
import io.sluice.limiter.ValueHash;
import io.sluice.topology.event.Event;
import io.sluice.topology.event.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A named limit: which events it is for, what it counts them by, and what to do with the rest.
 *
 * @param distinct the fields whose values it counts, each once, in place of events; none if it
 *     counts events
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

  /** The same for other events. */
  Limit with(Match other) {
    return new Limit(rule, other, key, distinct, backend, exceeded, redisUnavailable);
  }

  /** The same with another rule. */
  public Limit with(Rule other) {
    return new Limit(other, match, key, distinct, backend, exceeded, redisUnavailable);
  }

  /** What an event that matches asks of this limit. */
  Bucket bucket(Event event) {
    return new Bucket(rule, key.of(event), key.tagOf(event), value(event));
  }

  private ValueHash value(Event event) {
    if (distinct.isEmpty()) return ValueHash.NONE;
    return ValueHash.of(distinct.stream().map(field -> field.of(event)).toList());
  }

  /** What an event asks of each of these limits, which match it, in their order. */
  public static List<Bucket> buckets(List<Limit> limits, Event event) {
    if (limits.size() == 1) return List.of(limits.get(0).bucket(event));
    List<Bucket> buckets = new ArrayList<>(limits.size());
    for (Limit limit : limits) buckets.add(limit.bucket(event));
    return buckets;
  }

  /** Whether the state store counts for this limit while Redis is down. */
  public boolean fallsBack() {
    return backend == Backend.REDIS && redisUnavailable == RedisUnavailable.STATE_STORE;
  }

  /** What is wrong with what it leaves to others of these, in words; nothing if all is well. */
  public Optional<String> mistakeAmong(List<Limit> all) {
    return Unless.mistake(this, all);
  }

  public String name() {
    return rule.name();
  }

  /** The treatment of a limit's events while Redis does not answer. */
  public enum RedisUnavailable {
    /** Nothing is metered until it answers again. */
    WAIT,
    /** The limit does not apply. */
    ALLOW,
    /** Nothing passes. */
    REJECT,
    /** Each partition counts for itself meanwhile. */
    STATE_STORE
  }

  /** The place of a limit's counts. */
  public enum Backend {
    /** Beside the partition: counts are a partition's own. */
    STATE_STORE,
    /** Shared: counts are over all partitions. */
    REDIS
  }

  /** Whether it has events metered again that are over it. */
  public boolean retries() {
    return exceeded instanceof Exceeded.Retry;
  }

  /** The treatment of an event that does not conform to a limit. */
  public sealed interface Exceeded {
    /** The names of these in the configuration. */
    enum Kind {
      REJECT,
      DELAY,
      RETRY
    }

    /** Refused at once. */
    record Reject() implements Exceeded {}

    /** Given the next free slot, if that is at most {@code maxWaitMicros} away, inclusive. */
    record Delay(long maxWaitMicros) implements Exceeded {}

    /**
     * Metered again after the wait the limit names, lengthened by up to {@code jitter} of itself.
     *
     * @param attempts meterings in all, the first included, before it is rejected
     * @param jitter 0 to 1
     */
    record Retry(int attempts, double jitter) implements Exceeded {}

    /** How long the limit may make an event wait for a slot it reserves; 0 if it reserves none. */
    default long patienceMicros() {
      return this instanceof Delay delay ? delay.maxWaitMicros() : 0;
    }
  }
}
