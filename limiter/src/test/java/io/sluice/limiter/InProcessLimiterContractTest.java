package io.sluice.limiter;

class InProcessLimiterContractTest extends RateLimiterContract {
  @Override
  protected Subject subject(Quota quota, Algorithm algorithm) {
    return new InProcessLimiter(quota, algorithm)::meter;
  }
}
