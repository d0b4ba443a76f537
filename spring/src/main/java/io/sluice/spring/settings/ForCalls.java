package io.sluice.spring.settings;

import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limit.Exceeded;
import java.util.Optional;
import java.util.Set;

/** What a limit must be so that calls can be metered by it, and which settings calls do without. */
public final class ForCalls {
  private static final String MATCH = "match.";

  /** Which events, and what is done with them, is said by the annotation and the file. */
  private static final Set<String> OF_EVENTS =
      Set.of(
          "unless", "exceeded", "delay.max", "retry.attempts", "retry.jitter", "redis.unavailable");

  private ForCalls() {}

  /** Why a method cannot have this limit, in one line. */
  public static Optional<String> problem(Limit limit) {
    if (!(limit.exceeded() instanceof Exceeded.Reject)) {
      return Optional.of("a method's limit rejects; exceeded=delay and retry are for a stream");
    }
    if (!limit.distinct().isEmpty() || limit.rule().algorithm().admitsOnce()) {
      return Optional.of(
          "a method's limit counts calls; distinct and algorithm=bloom are for a stream");
    }
    return Optional.empty();
  }

  /** The same of a revision's limit, with its name; empty if there is no problem. */
  static String refusal(Limit limit) {
    return problem(limit).map(why -> "limit=" + limit.name() + ": " + why).orElse("");
  }

  /** Whether a setting is a stream's alone, and says nothing in a revision for calls. */
  static boolean isOfEvents(String setting) {
    return setting.startsWith(MATCH) || OF_EVENTS.contains(setting);
  }
}
