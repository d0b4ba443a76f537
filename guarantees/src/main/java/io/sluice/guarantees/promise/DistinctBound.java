package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.List;
import java.util.stream.Stream;

/**
 * Bound of a limit on distinct targets: at most as many new targets as permits in any window. A
 * target is certainly new if no event with it was allowed in the two periods before.
 */
final class DistinctBound implements Bound {
  private final long more;

  /**
   * @param more number of targets by which an estimate may exceed the permits
   */
  DistinctBound(long more) {
    this.more = more;
  }

  @Override
  public Stream<String> exceeded(Limit limit, List<Charge> charges) {
    List<Charge> all = charges.stream().filter(each -> isNew(limit, each, charges)).toList();
    long most = limit.permits() + more;
    return Spans.exceeding(
            all, (fromMs, toMs) -> toMs - fromMs < limit.periodMs() ? most : Long.MAX_VALUE)
        .stream()
        .map(
            many ->
                "more than %d new targets in %d ms: %s"
                    .formatted(most, limit.periodMs(), Bound.between(many)));
  }

  private static boolean isNew(Limit limit, Charge charge, List<Charge> charges) {
    if (!charge.isExact()) return false;
    long sinceMs = charge.fromMs() - 2 * limit.periodMs();
    return charges.stream()
        .filter(
            each ->
                each.end().number() != charge.end().number() && target(each).equals(target(charge)))
        .noneMatch(each -> each.fromMs() <= charge.toMs() && each.toMs() > sinceMs);
  }

  private static String target(Charge charge) {
    return charge.end().event().target();
  }
}
