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
 * Meters method calls against limits in the memory of this process. Thread-safe, with one lock.
 *
 * <p>Rows (the state of a key) are removed when the key has been idle for so long that its state
 * decides nothing. Callers may invent keys, so there can be many rows, and a call never examines
 * all of them: it examines twice as many rows as it adds, at least two, the least recently used
 * first. So there are at most about twice as many rows as needed.
 */
final class HeapMeter {
  private static final int LOOKS_FOR_EACH = 2;

  private final MemoryRows rows = new MemoryRows();
  private final RowMeter meter = new RowMeter(rows);
  private final Map<String, Rule> rules = new HashMap<>();
  private final RowSweeper sweeper;

  /**
   * @param known finds the current rule of a key, if it may differ from the rule by which the limit
   *     last metered a call
   */
  HeapMeter(RowSweeper.Rules known) {
    sweeper =
        new RowSweeper(
            rows,
            (name, algorithm, key) ->
                known.of(name, algorithm, key).or(() -> last(name, algorithm)));
  }

  /**
   * Returns the rule by which a limit last metered a call, if it has the given algorithm; empty
   * otherwise, since rows of an earlier algorithm are no longer needed.
   */
  private Optional<Rule> last(String name, Algorithm algorithm) {
    return Optional.ofNullable(rules.get(name)).filter(rule -> rule.algorithm() == algorithm);
  }

  /**
   * Returns the common decision of the limits in this process, as input for metering in Redis.
   * Charges no limit.
   */
  synchronized Standing standing(Arrival arrival, List<Bucket> buckets) {
    return meter.probe(arrival, buckets).standing();
  }

  /**
   * Meters a call against the limits in this process, given the decision of the limits in Redis.
   */
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

  /**
   * Examines the state of a key, and deletes it if it decides nothing any more. Reading a row that
   * stays makes it the most recently used row.
   */
  private void sweep(byte[] row, long nowMicros) {
    sweeper.sweep(row, rows.get(row), nowMicros);
  }

  /**
   * Returns the number of rows in memory. The state of a key is one row, or several rows if a
   * window contains many of its calls.
   */
  synchronized int size() {
    return rows.size();
  }
}
