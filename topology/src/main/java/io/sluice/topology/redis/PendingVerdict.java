package io.sluice.topology.redis;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limit.RedisUnavailable;
import io.sluice.topology.limit.Verdict;
import io.sluice.topology.limit.Verdict.Duplicates;
import java.util.List;

/** A question to Redis about an event, and its answer when there is one, from any thread. */
public final class PendingVerdict {
  private final int partition;
  private final List<Limit> limits;
  private final Request request;
  private final Duplicates duplicates;
  private Outcome answer;
  private volatile Verdict verdict;

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

  List<Bucket> buckets() {
    return request.buckets();
  }

  Request request() {
    return request;
  }

  public boolean isAnswered() {
    return verdict != null;
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
    for (Limit limit : limits) {
      if (!limit.rule().shadow() && limit.redisUnavailable() == RedisUnavailable.WAIT) return true;
    }
    return false;
  }

  /** Redis was gone for longer than an event in processing may wait; its thread is replaced. */
  public static final class StillUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StillUnavailableException(Throwable cause) {
      super("Redis was gone for longer than processing may wait", cause);
    }
  }
}
