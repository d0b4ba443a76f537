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
 * Meter in the memory of this process. Thread-safe, with one lock.
 *
 * <p>Rows of keys that are as good as new are removed. Callers may invent keys, so a call never
 * sweeps all rows: it examines twice as many as it adds, at least two, the least recently used
 * first. While all rows are examined once, at most half as many are added; so there are at most
 * about twice as many rows as needed.
 */
final class HeapMeter {
  private static final int LOOKS_FOR_EACH = 2;

  private final MemoryRows rows = new MemoryRows();
  private final RowMeter meter = new RowMeter(rows);
  private final Map<String, Rule> rules = new HashMap<>();
  private final RowSweeper sweeper;

  /**
   * @param known finds the rule of a bucket if it may differ from the last rule of its limit
   */
  HeapMeter(RowSweeper.Rules known) {
    sweeper =
        new RowSweeper(
            rows,
            (name, algorithm, key) ->
                known.of(name, algorithm, key).or(() -> last(name, algorithm)));
  }

  /**
   * Returns the last rule of a limit, if it has this algorithm. Rows of an earlier algorithm are no
   * longer needed.
   */
  private Optional<Rule> last(String name, Algorithm algorithm) {
    return Optional.ofNullable(rules.get(name)).filter(rule -> rule.algorithm() == algorithm);
  }

  /** Returns the decision of these limits, as input for metering elsewhere. Charges nothing. */
  synchronized Standing standing(Arrival arrival, List<Bucket> buckets) {
    return meter.probe(arrival, buckets).standing();
  }

  /** Meters a call, given the decision of limits elsewhere. */
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

  /** Examines a row. Reading it makes a row that stays the most recently used one. */
  private void sweep(byte[] row, long nowMicros) {
    sweeper.sweep(row, rows.get(row), nowMicros);
  }

  /**
   * Returns the number of rows in memory. A key has one row, or several if a window holds many of
   * its calls.
   */
  synchronized int size() {
    return rows.size();
  }
}
