package io.sluice.spring.metering;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.RowSweeper;
import io.sluice.limiter.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A meter in the memory of this process. Safe for many threads, which take turns.
 *
 * <p>Keys that are as good as new are forgotten. Callers may invent keys, so no call pays for a
 * sweep of all rows: each looks at twice as many as it adds, first at those that nobody has looked
 * at for the longest time. While the hand goes round once, half as many rows are added as there
 * are; so there are at most about twice as many as are needed.
 */
final class HeapMeter {
  private static final int LOOKS_FOR_EACH = 2;

  private final MemoryRows rows = new MemoryRows();
  private final RowMeter meter = new RowMeter(rows);
  private final Map<String, Rule> rules = new HashMap<>();
  private final RowSweeper sweeper;

  /**
   * @param known the rules of buckets that may have others than the last of their limit's
   */
  HeapMeter(RowSweeper.Rules known) {
    sweeper =
        new RowSweeper(
            rows,
            (name, algorithm, key) ->
                known.of(name, algorithm, key).or(() -> last(name, algorithm)));
  }

  /** A row of another algorithm than its limit has now is not needed any more. */
  private Optional<Rule> last(String name, Algorithm algorithm) {
    return Optional.ofNullable(rules.get(name)).filter(rule -> rule.algorithm() == algorithm);
  }

  /** What these limits say, to be taken into account elsewhere. Charges nothing. */
  synchronized Standing standing(Arrival arrival, List<Bucket> buckets) {
    return meter.probe(arrival, buckets).standing();
  }

  /** Meters a call with regard to what limits elsewhere say. */
  synchronized Outcome meter(Arrival arrival, List<Bucket> buckets, Standing elsewhere) {
    for (Bucket bucket : buckets) rules.put(bucket.rule().name(), bucket.rule());
    int before = rows.size();
    Outcome outcome = meter.probe(arrival, buckets).settle(elsewhere);
    sweep(LOOKS_FOR_EACH * Math.max(1, rows.size() - before), arrival.nowMicros());
    return outcome;
  }

  private void sweep(int looks, long nowMicros) {
    for (int i = 0; i < looks; i++) rows.eldest().ifPresent(row -> sweep(row, nowMicros));
  }

  /** A row that is kept has been looked at, and so is the youngest. */
  private void sweep(byte[] row, long nowMicros) {
    sweeper.sweep(row, rows.get(row), nowMicros);
  }

  /** How many rows are kept: one for a key, or several if it has many calls in a window. */
  synchronized int size() {
    return rows.size();
  }
}
