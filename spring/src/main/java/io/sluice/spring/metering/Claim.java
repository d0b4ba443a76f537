package io.sluice.spring.metering;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Rule;
import io.sluice.spring.method.Ask;
import io.sluice.spring.method.MethodLimit;
import io.sluice.topology.limit.Limit;
import java.util.List;

/**
 * One limit that a call is metered against.
 *
 * @param inForce what the limit is for this call
 * @param bucket that the call's key makes
 */
public record Claim(MethodLimit limit, Limit inForce, Bucket bucket) {
  static Claim of(Ask ask, Limit inForce) {
    Bucket bucket = Limit.buckets(List.of(inForce), ask.event()).get(0);
    return new Claim(ask.limit(), inForce, bucket);
  }

  public String name() {
    return limit.name();
  }

  /** The same in the memory of this process, in which no key is long. */
  Bucket bucketHere() {
    return ShortKey.of(bucket, inForce.key());
  }

  /** With the numbers of all the time. */
  Rule rule() {
    return inForce.rule();
  }

  public boolean isEnforced() {
    return !rule().shadow();
  }

  boolean isRemote() {
    return inForce.backend() == Limit.Backend.REDIS;
  }
}
