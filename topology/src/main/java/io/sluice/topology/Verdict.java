package io.sluice.topology;

import io.sluice.limiter.Claim;
import io.sluice.limiter.Outcome;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens to an event, and on whose account.
 *
 * @param deciding the limit that decided, in a list of one; none if no enforced limit matched
 * @param shadows what the limits said that only watch
 * @param attempt 1 for the first metering
 */
record Verdict(Kind kind, Reason reason, List<Ruling> deciding, List<Ruling> shadows, int attempt) {

  /** Where the event goes. */
  enum Kind {
    ALLOWED("allowed", Nodes.ALLOWED),
    REJECTED("rejected", Nodes.REJECTED);

    final String text;
    final String node;

    Kind(String text, String node) {
      this.text = text;
      this.node = node;
    }
  }

  /** Why it was rejected; or that it was allowed without Redis. */
  enum Reason {
    NONE(""),
    OVER_LIMIT("over-limit"),
    OVERSIZED("oversized"),
    DELAY_TOO_LONG("delay-too-long"),
    REDIS_UNAVAILABLE("redis-unavailable"),
    UNMATCHED("unmatched");

    final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  /** The verdict on an event that no limit matches. */
  static Verdict unmatched(boolean rejects) {
    return rejects
        ? new Verdict(Kind.REJECTED, Reason.UNMATCHED, List.of(), List.of(), 1)
        : new Verdict(Kind.ALLOWED, Reason.NONE, List.of(), List.of(), 1);
  }

  /** Rejected on account of a limit that lets nothing pass while Redis is gone. */
  static Verdict unavailable(Limit limit) {
    return new Verdict(
        Kind.REJECTED, Reason.REDIS_UNAVAILABLE, List.of(Ruling.unavailable(limit)), List.of(), 1);
  }

  /** Allowed because the limit does not apply while Redis is gone. */
  static Verdict passed(Limit limit) {
    return new Verdict(
        Kind.ALLOWED, Reason.REDIS_UNAVAILABLE, List.of(Ruling.unavailable(limit)), List.of(), 1);
  }

  /**
   * The same, marked as made while Redis was gone, if it was not rejected for a reason of its own.
   */
  Verdict withoutRedis() {
    return reason == Reason.NONE
        ? new Verdict(kind, Reason.REDIS_UNAVAILABLE, deciding, shadows, attempt)
        : this;
  }

  /**
   * The verdict that follows from what the limits said.
   *
   * @param limits those that matched, in the order of the claims and of the outcome's decisions
   */
  static Verdict of(Outcome outcome, List<Limit> limits, List<Claim> claims) {
    List<Ruling> shadows = shadows(outcome, limits);
    if (shadows.size() == limits.size()) {
      return new Verdict(Kind.ALLOWED, Reason.NONE, List.of(), shadows, 1);
    }
    int i = outcome.deciding(claims);
    Ruling deciding = new Ruling(limits.get(i), outcome.decisions().get(i));
    Kind kind = outcome.admitted() ? Kind.ALLOWED : Kind.REJECTED;
    Reason reason = outcome.admitted() ? Reason.NONE : deciding.reason();
    return new Verdict(kind, reason, List.of(deciding), shadows, 1);
  }

  private static List<Ruling> shadows(Outcome outcome, List<Limit> limits) {
    List<Ruling> shadows = List.of();
    for (int i = 0; i < limits.size(); i++) {
      if (!limits.get(i).rule().shadow()) continue;
      if (shadows.isEmpty()) shadows = new ArrayList<>(limits.size());
      shadows.add(new Ruling(limits.get(i), outcome.decisions().get(i)));
    }
    return shadows;
  }
}
