package io.sluice.spring.web;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Quota;
import io.sluice.spring.metering.Claim;
import io.sluice.spring.metering.Metered;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Header fields of a web response that describe limits: {@code RateLimit-Policy} and {@code
 * RateLimit} of draft-ietf-httpapi-ratelimit-headers-11, and {@code Retry-After}. A request may
 * call several limited methods; each limit appears once, in its latest state. Thread-safe.
 */
final class RateLimitFields {
  static final String POLICY = "RateLimit-Policy";
  static final String STATE = "RateLimit";
  static final String RETRY_AFTER = "Retry-After";

  private static final long SECOND_MICROS = 1_000_000;

  private final Map<String, String> policies = new LinkedHashMap<>();
  private final Map<String, String> states = new LinkedHashMap<>();

  /** Adds the limits of a metered call, except those in shadow mode. */
  synchronized void add(Metered metered) {
    for (Claim claim : metered.claims()) {
      if (!claim.isEnforced()) continue;
      String name = quoted(claim.name());
      policies.put(name, name + policy(metered.quotaOf(claim.limit())));
      states.put(name, name + state(metered.decisionOf(claim.limit())));
    }
  }

  synchronized void writeTo(WebCall web) {
    if (policies.isEmpty()) return;
    web.answer(POLICY, String.join(", ", policies.values()));
    web.answer(STATE, String.join(", ", states.values()));
  }

  private static String policy(Quota quota) {
    return ";q=" + quota.permits() + ";w=" + seconds(quota.periodMicros());
  }

  private static String state(Decision decision) {
    return ";r=" + decision.remaining() + ";t=" + seconds(decision.resetAfterMicros());
  }

  /** Converts microseconds to whole seconds, rounded up so that no client retries too early. */
  private static long seconds(long micros) {
    return (micros + SECOND_MICROS - 1) / SECOND_MICROS;
  }

  /**
   * Returns the value of {@code Retry-After}: the wait in seconds, rounded up and at least 1,
   * because many clients take 0 for "at once".
   */
  static String retryAfter(Duration wait) {
    long micros = wait.toSeconds() * SECOND_MICROS + wait.toNanosPart() / 1_000;
    return Long.toString(Math.max(1, seconds(micros)));
  }

  /**
   * Returns a limit's name as a quoted string of HTTP structured fields, which allow only ASCII:
   * other characters become {@code _}. Names contain no quotes and no backslashes.
   */
  private static String quoted(String name) {
    return '"' + name.replaceAll("[^\\x20-\\x7e]", "_") + '"';
  }
}
