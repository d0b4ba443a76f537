package io.sluice.limiter.redis;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import java.util.List;

/** Answer to the question whether the head of a line may leave its queue. */
public sealed interface ReleaseAnswer {
  /**
   * The head was metered: it leaves if the outcome admits it. A head that was admitted before and
   * comes again gets an outcome without its first numbers: as if each bucket had just charged it.
   */
  record Decided(Outcome outcome) implements ReleaseAnswer {}

  /**
   * The head was not metered, because another head is before it: of the same queue, or of another
   * queue that shares a bucket.
   *
   * @param untilMicros instant from which on the question can have another answer, in epoch
   *     microseconds, later than the latest instant of the release
   * @param buckets buckets of the head at which others are before it; empty if they are not known
   */
  record Behind(long untilMicros, List<Bucket> buckets) implements ReleaseAnswer {
    public Behind {
      buckets = List.copyOf(buckets);
    }
  }

  /** The head was not metered, because a key of it cannot be used. */
  record Unusable(UnreadableKeyException why) implements ReleaseAnswer {}
}
