package io.sluice.spring.settings;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Exceeded;
import java.util.Optional;
import java.util.Set;

/**
 * Checks whether a limit can apply to method calls, and which settings have no meaning for calls.
 */
public final class ForCalls {
  private static final String MATCH = "match.";

  /**
   * Settings of a limit that have no meaning for method calls: the annotation and the configuration
   * determine them.
   */
  private static final Set<String> OF_EVENTS =
      Set.of(
          "unless",
          "exceeded",
          "delay.max",
          "retry.attempts",
          "retry.jitter",
          "queue.max.wait",
          "queue.max.length",
          "redis.unavailable");

  private ForCalls() {}

  /** Returns the reason why a method cannot have the limit, in one line; empty if it can. */
  public static Optional<String> problem(Limit limit) {
    if (!(limit.exceeded() instanceof Exceeded.Reject)) {
      return Optional.of(
          "a method's limit can only reject; exceeded=delay, retry and queue are only for a stream");
    }
    if (!limit.distinct().isEmpty() || limit.rule().algorithm().admitsOnce()) {
      return Optional.of(
          "a method's limit counts calls; distinct and algorithm=bloom are only for a stream");
    }
    if (!limit.hours().areAlways()) {
      return Optional.of("a method's limit has no opening hours; open is only for a stream");
    }
    return Optional.empty();
  }

  /**
   * Returns the reason, with the limit's name, why a limit changed by a revision (a dated change)
   * cannot apply to method calls; an empty text if it can.
   */
  static String refusal(Limit limit) {
    return problem(limit).map(why -> "limit=" + limit.name() + ": " + why).orElse("");
  }

  /**
   * Whether a setting is only for streams of events; it is ignored in a revision (a dated change of
   * a limit) for method calls.
   */
  static boolean isOfEvents(String setting) {
    return setting.startsWith(MATCH) || OF_EVENTS.contains(setting);
  }
}
