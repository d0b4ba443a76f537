package io.sluice.topology.redis;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limit.RedisUnavailable;
import io.sluice.topology.limit.Verdict;
import io.sluice.topology.limit.Verdict.Duplicates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A question to Redis about an event, and its answer when there is one, from any thread. */
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

  /** What Redis is to be asked before it is an event's turn, when no other limit is. */
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

  /** The partition of the task that the event is for. */
  int partition() {
    return partition;
  }

  public List<Limit> limits() {
    return limits;
  }

  public List<Bucket> buckets() {
    return request.buckets();
  }

  /** The position by which Redis recognises the event. */
  public Position position() {
    return request.position();
  }

  /**
   * The question without the limits that only watch, if there are any, and others: an error of
   * their keys must not decide about the event.
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

  /** Whether no bucket is in both questions, so that neither answer depends on the other. */
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

  /** Redis is well and cannot use a key of this: an outage is not waited for. */
  void failed(UnreadableKeyException why) {
    unusable = why;
    int before = failures; // written by one thread at a time
    failures = before + 1;
  }

  void requireUsable() {
    if (!isAnswered() && unusable != null) throw unusable;
  }

  /** How often it was asked in vain, while Redis was well. */
  public int failures() {
    return failures;
  }

  /** Whether it waits for Redis: the event may not pass, and there is no answer of any kind. */
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
   * Whether an event may not pass as long as this is not answered. No event waits for a limit that
   * only watches.
   */
  public boolean mustWait() {
    return mustWait(limits);
  }

  /** Whether an event under these may not pass without an answer. */
  public static boolean mustWait(List<Limit> limits) {
    for (Limit limit : limits) {
      if (mustWait(limit)) return true;
    }
    return false;
  }

  /** No event waits for a limit that only watches. */
  public static boolean mustWait(Limit limit) {
    return !limit.rule().shadow() && limit.redisUnavailable() == RedisUnavailable.WAIT;
  }
}
