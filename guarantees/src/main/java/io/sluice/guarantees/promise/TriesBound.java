package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.List;
import java.util.stream.Stream;

/**
 * Bound of a sliding window log that also counts refused events: the cost of an allowed event and
 * of all judged events in the period before it is at most the permits.
 */
final class TriesBound {
  private TriesBound() {}

  /**
   * @param allowed charges of the allowed events of a key
   * @param tries charges of all judged events of the key, allowed or refused
   */
  static Stream<String> exceeded(Limit limit, List<Charge> allowed, List<Charge> tries) {
    return allowed.stream()
        .filter(Charge::isExact)
        .flatMap(charge -> exceeded(limit, charge, tries).stream())
        .limit(1);
  }

  private static List<String> exceeded(Limit limit, Charge last, List<Charge> tries) {
    long before =
        tries.stream()
            .filter(each -> each.toMs() < last.fromMs())
            .filter(each -> each.fromMs() > last.toMs() - limit.periodMs())
            .mapToLong(Charge::cost)
            .sum();
    long all = before + last.cost();
    if (all <= limit.permits()) return List.of();
    return List.of(
        "more than %d tries in %d ms: %d up to %s, charged at %d"
            .formatted(limit.permits(), limit.periodMs(), all, last.end(), last.toMs()));
  }
}
