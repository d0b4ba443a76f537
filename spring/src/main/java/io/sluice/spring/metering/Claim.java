package io.sluice.spring.metering;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Rule;
import io.sluice.rules.limit.Limit;
import io.sluice.spring.method.Ask;
import io.sluice.spring.method.MethodLimit;
import java.util.List;

/**
 * Limit against which a call is metered, with the bucket (the count) of the call's key.
 *
 * @param limit the limit as configured
 * @param inForce the limit after the revisions (dated changes) that apply to this call
 * @param bucket bucket of the call's key
 */
public record Claim(MethodLimit limit, Limit inForce, Bucket bucket) {
  static Claim of(Ask ask, Limit inForce) {
    Bucket bucket = Limit.buckets(List.of(inForce), ask.event()).get(0);
    return new Claim(ask.limit(), inForce, bucket);
  }

  public String name() {
    return limit.name();
  }

  /**
   * Returns the bucket (key under a rule) to which the limits in this process charge the call. Long
   * values in its key are replaced by hashes, so that callers cannot fill the memory with them.
   */
  Bucket bucketHere() {
    return ShortKey.of(bucket, inForce.key());
  }

  /** Returns the rule (quota and algorithm) of the limit, with its scheduled changes. */
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
