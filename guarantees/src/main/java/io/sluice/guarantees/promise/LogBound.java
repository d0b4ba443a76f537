package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.List;
import java.util.stream.Stream;

/** Bound of a sliding window log: the charges in any window are at most the permits. */
final class LogBound implements Bound {
  @Override
  public Stream<String> exceeded(Limit limit, List<Charge> charges) {
    // The window excludes a charge that is exactly one period old.
    return Spans.exceeding(
            charges,
            (fromMs, toMs) -> toMs - fromMs < limit.periodMs() ? limit.permits() : Long.MAX_VALUE)
        .stream()
        .map(
            many ->
                "more than %d in %d ms: %s"
                    .formatted(limit.permits(), limit.periodMs(), Bound.between(many)));
  }
}
