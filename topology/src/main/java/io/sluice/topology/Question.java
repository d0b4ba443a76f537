package io.sluice.topology;

import io.sluice.limiter.Claim;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.List;

/** What Redis is to be asked about an event, and its answer once there is one. */
final class Question {
  private final List<Limit> limits;
  private final Request request;
  private Outcome answer;

  Question(List<Limit> limits, Request request) {
    this.limits = limits;
    this.request = request;
  }

  List<Limit> limits() {
    return limits;
  }

  List<Claim> claims() {
    return request.claims();
  }

  Request request() {
    return request;
  }

  boolean isAnswered() {
    return answer != null;
  }

  void answered(Outcome outcome) {
    answer = outcome;
  }

  Outcome answer() {
    return answer;
  }

  Verdict verdict() {
    return Verdict.of(answer, limits, request.claims());
  }

  /** Whether an event may not pass as long as this is not answered. */
  boolean mustWait() {
    return limits.stream().anyMatch(limit -> limit.redisUnavailable() == RedisUnavailable.WAIT);
  }
}
