package io.sluice.spring;

import io.sluice.limiter.Decision;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * Thrown to the caller of a method if a limit refuses the call, which has not reached the method.
 * Only limits that count attempts charge it. A web application answers with 429.
 */
@ResponseStatus(HttpStatus.TOO_MANY_REQUESTS) // has no effect without Spring Web
public final class RateLimitExceededException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String limit;
  private final transient Decision decision;
  private final List<String> exceeded;

  /**
   * @param limit name of the deciding limit
   * @param exceeded names of all limits that refuse the call
   */
  RateLimitExceededException(String limit, Decision decision, List<String> exceeded) {
    // Without a stack trace, to save time.
    super("over the limit " + limit + wait(decision), null, false, false);
    this.limit = limit;
    this.decision = decision;
    this.exceeded = List.copyOf(exceeded);
  }

  /** Returns the wait in words, in milliseconds rounded up: a retry after it is not too early. */
  private static String wait(Decision decision) {
    return retryAfter(decision)
        .map(wait -> "; retry after " + wait.plusNanos(999_999).toMillis() + " ms")
        .orElse(isDenied(decision) ? ": denied" : ": costs more than it ever allows");
  }

  /**
   * Whether a revision (a dated change of a limit) denies all such calls: the decision then has a
   * capacity of 0 permits.
   */
  private static boolean isDenied(Decision decision) {
    return decision instanceof Decision.Oversized oversized && oversized.capacity() == 0;
  }

  /** Returns the name of the deciding limit: the one with the longest wait. */
  public String limit() {
    return limit;
  }

  /**
   * Returns the decision of the deciding limit: non-conforming, blocked or oversized; oversized
   * with a capacity of 0 if a revision (a dated change of a limit) denies the call.
   */
  public Decision decision() {
    return decision;
  }

  /** Returns the names of all limits that refuse the call. */
  public List<String> exceeded() {
    return exceeded;
  }

  /** Returns the wait until the same call would conform; empty if it never would. */
  public Optional<Duration> retryAfter() {
    return retryAfter(decision);
  }

  private static Optional<Duration> retryAfter(Decision decision) {
    if (decision instanceof Decision.NonConforming refused) {
      return Optional.of(micros(refused.retryAfterMicros()));
    }
    if (decision instanceof Decision.Blocked blocked) {
      return Optional.of(micros(blocked.retryAfterMicros()));
    }
    return Optional.empty();
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
