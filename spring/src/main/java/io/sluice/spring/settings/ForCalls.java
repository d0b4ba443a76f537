package io.sluice.spring.settings;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Exceeded;
import java.util.Optional;
import java.util.Set;

/** Checks whether a limit can apply to calls, and which settings have no meaning for calls. */
public final class ForCalls {
  private static final String MATCH = "match.";

  /**
   * Settings that have no meaning for calls: the annotation and the configuration decide about
   * them.
   */
  private static final Set<String> OF_EVENTS =
      Set.of(
          "unless", "exceeded", "delay.max", "retry.attempts", "retry.jitter", "redis.unavailable");

  private ForCalls() {}

  /** Returns the reason why a method cannot have this limit, in one line. */
  public static Optional<String> problem(Limit limit) {
    if (!(limit.exceeded() instanceof Exceeded.Reject)) {
      return Optional.of(
          "a method's limit can only reject; exceeded=delay and retry are only for a stream");
    }
    if (!limit.distinct().isEmpty() || limit.rule().algorithm().admitsOnce()) {
      return Optional.of(
          "a method's limit counts calls; distinct and algorithm=bloom are only for a stream");
    }
    return Optional.empty();
  }

  /**
   * Returns the reason why a revision's limit cannot apply to calls, with its name; empty if it
   * can.
   */
  static String refusal(Limit limit) {
    return problem(limit).map(why -> "limit=" + limit.name() + ": " + why).orElse("");
  }

  /** Whether a setting is only for streams, and is ignored in a revision for calls. */
  static boolean isOfEvents(String setting) {
    return setting.startsWith(MATCH) || OF_EVENTS.contains(setting);
  }
}
