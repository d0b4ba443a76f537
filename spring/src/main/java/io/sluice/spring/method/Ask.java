package io.sluice.spring.method;

import io.sluice.limiter.Bucket;

/** One limit that a call is metered against, and the bucket that the call's key makes. */
public record Ask(MethodLimit limit, Bucket bucket) {
  public boolean isRemote() {
    return limit.isRemote();
  }
}
