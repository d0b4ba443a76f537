package io.sluice.topology.redis;

import io.sluice.limiter.Bucket;
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

/**
 * Question to Redis for the verdict on an event, with the answer as soon as there is one. Any
 * thread may set the answer.
 */
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

  /** Returns the partition number of the task that processes the event. */
  int partition() {
    return partition;
  }

  public List<Limit> limits() {
    return limits;
  }

  public List<Bucket> buckets() {
    return request.buckets();
  }

  /** Returns the sequence name and offset by which Redis recognises the event's record. */
  public Position position() {
    return request.position();
  }

  /**
   * Returns the question without the event's limits in shadow mode, since unusable keys of such
   * limits must not decide about the event. Empty if no limit, or every limit, is in shadow mode.
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
   * Returns whether the two questions have no limit and key in common, so that neither answer
   * depends on the other answer.
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

  /**
   * Notes that Redis answered but cannot use a key of the event. This is no outage, so the event
   * does not wait for Redis.
   */
  void failed(UnreadableKeyException why) {
    unusable = why;
    // Not atomic, since only one thread at a time writes the number of failures.
    int before = failures;
    failures = before + 1;
  }

  void requireUsable() {
    if (!isAnswered() && unusable != null) throw unusable;
  }

  /** Returns how often Redis answered but could not use a key of the event. */
  public int failures() {
    return failures;
  }

  /**
   * Returns whether the event waits for Redis: it may not pass without an answer, and Redis has
   * neither answered nor found a key unusable.
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
   * Returns whether the event may not pass while Redis has not answered. No event waits for a limit
   * in shadow mode.
   */
  public boolean mustWait() {
    return mustWait(limits);
  }

  /** Returns whether an event with these limits may not pass without an answer of Redis. */
  public static boolean mustWait(List<Limit> limits) {
    for (Limit limit : limits) {
      if (mustWait(limit)) return true;
    }
    return false;
  }

  /**
   * Returns whether events wait for this limit while Redis is unavailable; never for a limit in
   * shadow mode.
   */
  public static boolean mustWait(Limit limit) {
    return !limit.rule().shadow() && limit.redisUnavailable() == RedisUnavailable.WAIT;
  }
}
