package io.sluice.rules.limit;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Rule;
import io.sluice.limiter.ValueHash;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rate limit with a name: the events that it applies to, the key that it counts them by, and the
 * treatment of events that exceed it.
 *
 * @param distinct fields whose distinct values the limit counts instead of events; empty if it
 *     counts events. At most one is a list in events: each of its elements is a value then
 * @param keyMissing treatment of an event that lacks a field of the key, or a distinct field
 * @param hours opening hours, outside of which the limit refuses every event
 */
public record Limit(
    Rule rule,
    Match match,
    LimitKey key,
    List<Field> distinct,
    Backend backend,
    Exceeded exceeded,
    RedisUnavailable redisUnavailable,
    KeyMissing keyMissing,
    LimitHours hours) {

  public Limit {
    distinct = List.copyOf(distinct);
  }

  /** Creates a limit without opening hours. */
  public Limit(
      Rule rule,
      Match match,
      LimitKey key,
      List<Field> distinct,
      Backend backend,
      Exceeded exceeded,
      RedisUnavailable redisUnavailable,
      KeyMissing keyMissing) {
    this(
        rule,
        match,
        key,
        distinct,
        backend,
        exceeded,
        redisUnavailable,
        keyMissing,
        LimitHours.ALWAYS);
  }

  /** Creates a limit that does not apply to events without one of the fields of its count. */
  public Limit(
      Rule rule,
      Match match,
      LimitKey key,
      List<Field> distinct,
      Backend backend,
      Exceeded exceeded,
      RedisUnavailable redisUnavailable) {
    this(rule, match, key, distinct, backend, exceeded, redisUnavailable, KeyMissing.SKIP);
  }

  private Limit copy(
      Rule itsRule,
      Match itsMatch,
      Exceeded over,
      RedisUnavailable away,
      KeyMissing missing,
      LimitHours open) {
    return new Limit(itsRule, itsMatch, key, distinct, backend, over, away, missing, open);
  }

  /** Returns a copy of the limit that applies to other events. */
  public Limit with(Match other) {
    return copy(rule, other, exceeded, redisUnavailable, keyMissing, hours);
  }

  /**
   * Returns a copy of the limit with another rule, which contains its name, quota and algorithm.
   */
  public Limit with(Rule other) {
    return copy(other, match, exceeded, redisUnavailable, keyMissing, hours);
  }

  /** Returns a copy of the limit with another treatment of events without the key. */
  public Limit with(KeyMissing other) {
    return copy(rule, match, exceeded, redisUnavailable, other, hours);
  }

  /** Returns a copy of the limit with another treatment of events that exceed it. */
  public Limit with(Exceeded other) {
    return copy(rule, match, other, redisUnavailable, keyMissing, hours);
  }

  /** Returns a copy of the limit with other opening hours. */
  public Limit with(LimitHours other) {
    return copy(rule, match, exceeded, redisUnavailable, keyMissing, other);
  }

  /**
   * Returns a copy of the limit with {@code redis.unavailable=wait}: in a simulation, verdicts
   * would otherwise depend on when Redis happens to be unavailable.
   */
  public Limit waitingForRedis() {
    return copy(rule, match, exceeded, RedisUnavailable.WAIT, keyMissing, hours);
  }

  /**
   * Returns the fields of the key and the distinct fields that an event may lack and match
   * nevertheless; empty for most limits.
   */
  public List<Field> optionalFields() {
    return Stream.concat(key.fields().stream(), distinct.stream())
        .distinct()
        .filter(match::matchesWithout)
        .toList();
  }

  /**
   * Returns whether an event that matches the limit lacks a field of the key, or a distinct field.
   */
  public boolean lacksKey(Event event) {
    return lacksAny(key.fields(), event) || lacksAny(distinct, event);
  }

  /** Returns whether the limit does not apply to an event because the event lacks the key. */
  public boolean skips(Event event) {
    return keyMissing == KeyMissing.SKIP && lacksKey(event);
  }

  private static boolean lacksAny(List<Field> fields, Event event) {
    // Loops by index: an iterator would be an allocation for every event.
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      if (field.mayBeMissing() && field.of(event).isEmpty()) return true;
    }
    return false;
  }

  /**
   * Returns a copy that does not match events without the fields of its count; the limit itself if
   * all matching events have these fields.
   */
  private Limit withPresentKey() {
    List<Field> optional = optionalFields();
    return optional.isEmpty() ? this : with(match.requiring(optional));
  }

  /** Returns a copy that does not match the events to which {@code key.missing=skip} applies. */
  Limit applying() {
    return keyMissing == KeyMissing.SKIP ? withPresentKey() : this;
  }

  /** Returns a copy that matches only the events that the limit counts. */
  Limit counting() {
    return keyMissing == KeyMissing.SHARE ? this : withPresentKey();
  }

  /** Returns the bucket in which the limit counts an event. The event must match the limit. */
  Bucket bucket(Event event) {
    String counted = key.of(event);
    String tag = key.tagOf(event);
    if (distinct.isEmpty()) return new Bucket(rule, counted, tag);
    for (int i = 0; i < distinct.size(); i++) {
      List<String> elements = distinct.get(i).elementsOf(event);
      if (elements.size() > 1) return Bucket.ofValues(rule, counted, tag, values(event, i));
    }
    return new Bucket(rule, counted, tag, ValueHash.of(parts(event)));
  }

  private List<String> parts(Event event) {
    List<String> parts = new ArrayList<>(distinct.size());
    for (int i = 0; i < distinct.size(); i++) parts.add(distinct.get(i).of(event));
    return parts;
  }

  /**
   * Returns a hash for each element of a distinct field that is a list, together with the values of
   * the other distinct fields.
   */
  private List<ValueHash> values(Event event, int list) {
    List<String> parts = parts(event);
    List<ValueHash> values = new ArrayList<>();
    for (String element : distinct.get(list).elementsOf(event)) {
      parts.set(list, element);
      values.add(ValueHash.of(parts));
    }
    return values;
  }

  /**
   * Returns the bucket in which each limit counts an event, in the order of the limits. The event
   * must match all of them.
   */
  public static List<Bucket> buckets(List<Limit> limits, Event event) {
    if (limits.size() == 1) return List.of(limits.get(0).bucket(event));
    List<Bucket> buckets = new ArrayList<>(limits.size());
    for (Limit limit : limits) buckets.add(limit.bucket(event));
    return buckets;
  }

  /**
   * Returns whether the limit counts in Redis, and in the state store while Redis is unavailable.
   */
  public boolean fallsBack() {
    return backend == Backend.REDIS && redisUnavailable == RedisUnavailable.STATE_STORE;
  }

  /**
   * Returns the mistake in the limit's setting {@code unless}, which names other limits; empty if
   * it is valid.
   */
  public Optional<String> mistakeAmong(List<Limit> all) {
    return Unless.mistake(this, all);
  }

  /**
   * Returns the fields of events that the limit matches on, counts by or takes the time zone from,
   * each once.
   */
  public List<Field> fields() {
    return Stream.of(
            key.fields().stream(),
            distinct.stream(),
            hours.fields().stream(),
            match.clauses().stream().map(Match.Clause::field))
        .flatMap(each -> each)
        .distinct()
        .toList();
  }

  public String name() {
    return rule.name();
  }

  /**
   * Treatment of an event that lacks a field by which the limit counts; the value of the field is
   * empty then.
   */
  public enum KeyMissing {
    /** The limit does not apply to the event. */
    SKIP,
    /** The empty value is a value like any other, so that all these events share one count. */
    SHARE,
    /** The event is rejected; a limit in shadow mode only reports it. */
    REJECT
  }

  /** Treatment of a limit's events while Redis is unavailable. */
  public enum RedisUnavailable {
    /** Events wait until Redis is available again. */
    WAIT,
    /** The limit does not apply while Redis is unavailable. */
    ALLOW,
    /** All events of the limit are rejected while Redis is unavailable. */
    REJECT,
    /** While Redis is unavailable, each partition counts its own events in the state store. */
    STATE_STORE
  }

  /** Storage of a limit's counts. */
  public enum Backend {
    /** State store of Kafka Streams, where each partition has its own counts. */
    STATE_STORE,
    /** Redis, where all partitions share the counts. */
    REDIS
  }

  /** Returns whether events that exceed the limit are metered again later. */
  public boolean retries() {
    return exceeded instanceof Exceeded.Retry || exceeded instanceof Exceeded.DelayToReopening;
  }

  /** Returns whether the opening hours of the limit are closed for an event at an instant. */
  boolean isClosed(Event event, long ms) {
    return !hours.spanAt(event, ms).isOpen();
  }

  /**
   * Returns whether events that exceed the limit wait in line. False for a limit in shadow mode,
   * since no event waits for such a limit.
   */
  public boolean queues() {
    return exceeded instanceof Exceeded.Queue && !rule.shadow();
  }

  /** Treatment of an event that exceeds the limit. */
  public sealed interface Exceeded {
    /** Treatments of an event that exceeds the limit, as the configuration names them. */
    enum Kind {
      REJECT,
      DELAY,
      RETRY,
      QUEUE;

      /** Returns whether an event waits by itself, instead of in line. */
      public boolean waitsAlone() {
        return this == DELAY || this == RETRY;
      }
    }

    /** Rejects an event that exceeds the limit at once. */
    record Reject() implements Exceeded {}

    /**
     * Delays the event to the next free slot, which is reserved for it, if that slot is at most
     * {@code maxWaitMicros} away; otherwise rejects the event.
     */
    record Delay(long maxWaitMicros) implements Exceeded {}

    /**
     * Treatment of a single event by a limit that delays, if the event could get a slot at which a
     * limit is closed: the event gets a slot before that, or it is metered again when all its
     * limits are open, if that is at most {@code maxWaitMicros} away.
     *
     * @param reopensAtMs first instant after the closing at which all limits of the event are open
     */
    record DelayToReopening(long maxWaitMicros, long reopensAtMs) implements Exceeded {}

    /**
     * Meters the event again after the wait that the limit gives, lengthened by a random part of up
     * to {@code jitter} times that wait.
     *
     * @param attempts number of meterings, the first included, after which the event is rejected
     * @param jitter 0 to 1
     */
    record Retry(int attempts, double jitter) implements Exceeded {}

    /**
     * Makes the event wait in line, without a reservation, until it conforms to all its limits.
     *
     * @param maxWaitMicros time after which a waiting event is rejected, counted from its arrival
     * @param maxLength largest number of events in a line; further events are rejected
     */
    record Queue(long maxWaitMicros, int maxLength) implements Exceeded {}

    /** Returns the treatment as the configuration names it. */
    default Kind kind() {
      if (this instanceof Delay || this instanceof DelayToReopening) return Kind.DELAY;
      if (this instanceof Retry) return Kind.RETRY;
      return this instanceof Queue ? Kind.QUEUE : Kind.REJECT;
    }

    /**
     * Returns the longest wait for a reserved slot, in microseconds; 0 if the limit reserves no
     * slots.
     */
    default long patienceMicros() {
      return this instanceof Delay delay ? delay.maxWaitMicros() : 0;
    }
  }
}
