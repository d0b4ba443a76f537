package io.sluice.topology.redis;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.Verdict.Duplicates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Question to Redis about an event, and the answer when there is one, which any thread may set. */
public final class PendingVerdict {
  private final int partition;
  private final List<Limit> limits;
  private final Request request;
  private final Duplicates duplicates;
  private Outcome answer;
  private volatile Verdict verdict;
  private volatile int failures;
  private UnreadableKeyException unusable;

  public PendingVerdict(int partition, List<Limit> limits, Request request, Duplicates duplicates) {
    this.partition = partition;
    this.limits = limits;
    this.request = request;
    this.duplicates = duplicates;
  }

  /**
   * Creates a question that Redis is asked before the event's turn, because all its limits are in
   * Redis.
   */
  public static PendingVerdict ahead(
      int partition,
      List<Limit> limits,
      List<Bucket> buckets,
      Arrival arrival,
      Position position,
      Duplicates duplicates) {
    Request request = new Request(arrival, buckets, Standing.NONE, position);
    return new PendingVerdict(partition, limits, request, duplicates);
  }

  /** Returns the partition of the event's task. */
  int partition() {
    return partition;
  }

  public List<Limit> limits() {
    return limits;
  }

  public List<Bucket> buckets() {
    return request.buckets();
  }

  /** Returns the position by which Redis recognises the event. */
  public Position position() {
    return request.position();
  }

  /**
   * Returns the question without the limits in shadow mode, since an error of their keys must not
   * decide about the event; empty if there are none, or no others.
   */
  public Optional<PendingVerdict> withoutShadows() {
    List<Limit> acting = new ArrayList<>();
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < limits.size(); i++) {
      if (limits.get(i).rule().shadow()) continue;
      acting.add(limits.get(i));
      buckets.add(buckets().get(i));
    }
    if (acting.isEmpty() || acting.size() == limits.size()) return Optional.empty();
    Request less = new Request(request.arrival(), buckets, request.elsewhere(), request.position());
    return Optional.of(new PendingVerdict(partition, acting, less, duplicates));
  }

  Request request() {
    return request;
  }

  /**
   * Returns whether no bucket is in both questions, so that neither answer depends on the other.
   */
  public boolean isApartFrom(PendingVerdict other) {
    for (Bucket mine : buckets()) {
      for (Bucket theirs : other.buckets()) {
        boolean same = mine.rule().name().equals(theirs.rule().name());
        if (same && mine.key().equals(theirs.key())) return false;
      }
    }
    return true;
  }

  public boolean isAnswered() {
    return verdict != null;
  }

  /** Notes that Redis answers but cannot use a key: this is not an outage to wait for. */
  void failed(UnreadableKeyException why) {
    unusable = why;
    int before = failures; // written by one thread at a time
    failures = before + 1;
  }

  void requireUsable() {
    if (!isAnswered() && unusable != null) throw unusable;
  }

  /** Returns how often Redis answered and could not use a key. */
  public int failures() {
    return failures;
  }

  /**
   * Returns whether the event waits for Redis: it may not pass, and there is no answer of any kind.
   */
  public boolean isStuck() {
    return !isAnswered() && failures == 0 && mustWait();
  }

  void answered(Outcome outcome) {
    answer = outcome;
    verdict = Verdict.of(outcome, limits, request.buckets(), duplicates);
  }

  public Outcome answer() {
    return answer;
  }

  public Verdict verdict() {
    return verdict;
  }

  /**
   * Returns whether the event may not pass while this is unanswered. No event waits for a limit in
   * shadow mode.
   */
  public boolean mustWait() {
    return mustWait(limits);
  }

  /** Returns whether an event with these limits may not pass without an answer. */
  public static boolean mustWait(List<Limit> limits) {
    for (Limit limit : limits) {
      if (mustWait(limit)) return true;
    }
    return false;
  }

  /** Returns whether events wait for this limit during an outage; never for one in shadow mode. */
  public static boolean mustWait(Limit limit) {
    return !limit.rule().shadow() && limit.redisUnavailable() == RedisUnavailable.WAIT;
  }
}
