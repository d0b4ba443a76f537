package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import java.util.List;
import java.util.stream.Stream;

/** A sliding window log: in no window of a period more than the permits. */
final class LogBound implements Bound {
  @Override
  public Stream<String> exceeded(Limit limit, List<Charge> charges) {
    // What is exactly a period old is gone: a longer span says nothing.
    return Spans.exceeding(
            charges, spanMs -> spanMs < limit.periodMs() ? limit.permits() : Long.MAX_VALUE)
        .stream()
        .map(
            many ->
                "more than %d in %d ms: %s"
                    .formatted(limit.permits(), limit.periodMs(), Bound.between(many)));
  }
}
