package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.List;
import java.util.stream.Stream;

/**
 * Bound of a log that counts tries: an allowed event and all tries of the period before it, also
 * refused ones, are at most the permits.
 */
final class TriesBound {
  private TriesBound() {}

  /**
   * @param tries all judged events, including the allowed ones
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
