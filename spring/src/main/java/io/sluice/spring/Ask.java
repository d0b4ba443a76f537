package io.sluice.spring;

import io.sluice.limiter.Bucket;

/** One limit that a call is metered against, and the bucket that the call's key makes. */
record Ask(MethodLimit limit, Bucket bucket) {
  boolean isRemote() {
    return limit.isRemote();
  }
}
