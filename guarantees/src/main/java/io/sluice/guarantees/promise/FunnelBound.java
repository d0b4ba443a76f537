package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.List;
import java.util.stream.Stream;

/**
 * Bound of a funnel (GCRA): the charges in any time span are at most the burst plus the permits
 * that the funnel's rate adds in this span.
 */
final class FunnelBound implements Bound {
  @Override
  public Stream<String> exceeded(Limit limit, List<Charge> charges) {
    return Spans.exceeding(
            charges,
            (fromMs, toMs) -> limit.burst() + (toMs - fromMs) * limit.permits() / limit.periodMs())
        .stream()
        .map(
            many ->
                "more than a burst of %d and %d in each %d ms: %s"
                    .formatted(
                        limit.burst(), limit.permits(), limit.periodMs(), Bound.between(many)));
  }
}
