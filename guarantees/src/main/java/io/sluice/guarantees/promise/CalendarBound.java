package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Bound of a calendar window: the charges in each calendar period are at most the permits. */
final class CalendarBound implements Bound {
  @Override
  public Stream<String> exceeded(Limit limit, List<Charge> charges) {
    Map<Long, Long> used = new HashMap<>();
    for (Charge charge : charges) {
      long period = charge.fromMs() / limit.periodMs();
      boolean isCertain = charge.toMs() / limit.periodMs() == period;
      if (isCertain) used.merge(period, charge.cost(), Long::sum);
    }
    return used.entrySet().stream()
        .filter(period -> period.getValue() > limit.permits())
        .map(
            period ->
                "%d, and not %d, in the period from %d"
                    .formatted(
                        period.getValue(), limit.permits(), period.getKey() * limit.periodMs()))
        .limit(1);
  }
}
