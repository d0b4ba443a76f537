package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Bound of a sliding window counter: the count of the last period, weighted by its share in the
 * window, plus the count of the current period is at most the permits. If the time of any charge is
 * uncertain, only checks that any window has fewer than twice the permits.
 */
final class CounterBound implements Bound {
  @Override
  public Stream<String> exceeded(Limit limit, List<Charge> charges) {
    return charges.stream().allMatch(Charge::isExact)
        ? exactly(limit, charges)
        : roughly(limit, charges);
  }

  private static Stream<String> exactly(Limit limit, List<Charge> charges) {
    List<Charge> inOrder = new ArrayList<>(charges);
    inOrder.sort(Comparator.comparingLong(Charge::toMs));
    Map<Long, Long> counts = new HashMap<>();
    List<String> found = new ArrayList<>();
    for (Charge charge : inOrder) {
      long period = charge.toMs() / limit.periodMs();
      long running = counts.merge(period, charge.cost(), Long::sum);
      long last = counts.getOrDefault(period - 1, 0L);
      long elapsedMs = charge.toMs() % limit.periodMs();
      long held = last * (limit.periodMs() - elapsedMs) + running * limit.periodMs();
      if (held > limit.permits() * limit.periodMs()) {
        found.add(
            "%d in the last %d ms, of which %d have passed, and %d now: %s, charged at %d"
                .formatted(
                    last, limit.periodMs(), elapsedMs, running, charge.end(), charge.toMs()));
      }
    }
    return found.stream().limit(1);
  }

  private static Stream<String> roughly(Limit limit, List<Charge> charges) {
    long most = 2 * limit.permits() - 1;
    return Spans.exceeding(
            charges, (fromMs, toMs) -> toMs - fromMs < limit.periodMs() ? most : Long.MAX_VALUE)
        .stream()
        .map(
            many ->
                "more than %d in %d ms: %s".formatted(most, limit.periodMs(), Bound.between(many)));
  }
}
