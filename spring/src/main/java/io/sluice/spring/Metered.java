package io.sluice.spring;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Outcome;
import java.util.List;

/**
 * A call once it is metered.
 *
 * @param asks the limits that had a say: not those that are passed over while Redis is unavailable
 * @param outcome has a judgement for each, in their order
 */
record Metered(List<Ask> asks, Outcome outcome) {
  Metered {
    asks = List.copyOf(asks);
  }

  boolean admitted() {
    return outcome.admitted();
  }

  /** Whether a limit is enforced, and so decided. */
  boolean decided() {
    return Outcome.enforced(asks.stream().map(Ask::bucket).toList());
  }

  /** The limit that decided: the tightest if the call is admitted, the longest wait if not. */
  MethodLimit deciding() {
    return asks.get(outcome.deciding(asks.stream().map(Ask::bucket).toList())).limit();
  }

  Decision decisionOf(MethodLimit limit) {
    for (int i = 0; i < asks.size(); i++) {
      if (asks.get(i).limit().equals(limit)) return outcome.decision(i);
    }
    throw new IllegalStateException(limit + " had no say");
  }

  /** Whether a limit lets the call in. */
  boolean conforms(MethodLimit limit) {
    return decisionOf(limit) instanceof Decision.Conforming;
  }

  RateLimitExceededException exceeded() {
    List<String> refusing =
        asks.stream()
            .map(Ask::limit)
            .filter(limit -> limit.isEnforced() && !conforms(limit))
            .map(MethodLimit::name)
            .toList();
    MethodLimit deciding = deciding();
    return new RateLimitExceededException(deciding.name(), decisionOf(deciding), refusing);
  }
}
