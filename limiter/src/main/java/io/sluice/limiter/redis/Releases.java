package io.sluice.limiter.redis;

import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.List;

/**
 * Questions of one queue, in order: whether the events at the heads of its lines may leave now.
 *
 * @param owner owner of the queue
 * @param committed releases with numbers up to this one are committed by this owner, and need not
 *     be remembered
 * @param firstNumber number of the first head; each next head has the next number. Numbers of an
 *     owner rise from call to call, and are above its committed numbers
 * @param heads heads of lines, the most important ones first
 */
public record Releases(QueueOwner owner, long committed, long firstNumber, List<Head> heads) {
  public Releases {
    heads = List.copyOf(heads);
    if (committed < 0 || firstNumber <= committed) {
      throw new IllegalArgumentException(
          "the first number must be above the committed ones: " + firstNumber + ", " + committed);
    }
  }

  /** Queues that can wait at a bucket. */
  public enum Waits {
    /** No queue: the limit rejects what does not conform. */
    NONE,
    /** One queue: the key of the limit contains the field by which events are partitioned. */
    OWN,
    /** Several queues, which take turns. */
    SHARED
  }

  /**
   * Head of a line.
   *
   * @param request arrival, which is a release, with its buckets, and without a position
   * @param rank of its class, 0 for the highest one
   * @param sinceMicros instant since which the event waits, in epoch microseconds. Of two queues
   *     with heads of one class, the one that waits for longer is first
   * @param waits one for each bucket, in the same order
   */
  public record Head(Request request, int rank, long sinceMicros, List<Waits> waits) {
    public Head {
      waits = List.copyOf(waits);
      boolean plain = request.arrival().isRelease() && request.position().isNone();
      if (!plain || waits.size() != request.buckets().size() || rank < 0 || sinceMicros < 0) {
        throw new IllegalArgumentException("not the head of a line: " + request + ", " + waits);
      }
    }
  }
}
