package io.sluice.spring.metering;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Outcome;
import io.sluice.spring.method.Ask;
import io.sluice.spring.method.MethodLimit;
import java.util.List;

/**
 * A call once it is metered.
 *
 * @param asks the limits that had a say: not those that are passed over while Redis is unavailable
 * @param outcome has a judgement for each, in their order
 */
public record Metered(List<Ask> asks, Outcome outcome) {
  public Metered {
    asks = List.copyOf(asks);
  }

  public boolean admitted() {
    return outcome.admitted();
  }

  /** Whether a limit is enforced, and so decided. */
  public boolean decided() {
    return Outcome.enforced(asks.stream().map(Ask::bucket).toList());
  }

  /** The limit that decided: the tightest if the call is admitted, the longest wait if not. */
  public MethodLimit deciding() {
    return asks.get(outcome.deciding(asks.stream().map(Ask::bucket).toList())).limit();
  }

  /** What a limit says that had a say. */
  public Decision decisionOf(MethodLimit limit) {
    for (int i = 0; i < asks.size(); i++) {
      if (asks.get(i).limit().equals(limit)) return outcome.decision(i);
    }
    throw new IllegalStateException(limit + " had no say");
  }

  /** Whether a limit lets the call in. */
  public boolean conforms(MethodLimit limit) {
    return decisionOf(limit) instanceof Decision.Conforming;
  }

  /** The names of all limits that refuse the call. */
  public List<String> exceeded() {
    return asks.stream()
        .map(Ask::limit)
        .filter(limit -> limit.isEnforced() && !conforms(limit))
        .map(MethodLimit::name)
        .toList();
  }
}
