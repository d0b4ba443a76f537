package io.sluice.spring.metering;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.RowSweeper;
import io.sluice.limiter.Rule;
import io.sluice.limiter.Standing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A meter in the memory of this process. Safe for many threads, which take turns. Keys that are as
 * good as new are forgotten while others arrive.
 */
final class HeapMeter {
  private static final int LEAST_TO_SWEEP = 1_024;

  private final MemoryRows rows = new MemoryRows();
  private final RowMeter meter = new RowMeter(rows);
  private final Map<String, Rule> rules = new HashMap<>();
  private final RowSweeper sweeper =
      new RowSweeper(rows, (name, algorithm, key) -> Optional.ofNullable(rules.get(name)));
  private int sweepAt = LEAST_TO_SWEEP;

  /** What these limits say, to be taken into account elsewhere. Charges nothing. */
  synchronized Standing standing(Arrival arrival, List<Bucket> buckets) {
    return meter.probe(arrival, buckets).standing();
  }

  /** Meters a call with regard to what limits elsewhere say. */
  synchronized Outcome meter(Arrival arrival, List<Bucket> buckets, Standing elsewhere) {
    for (Bucket bucket : buckets) rules.put(bucket.rule().name(), bucket.rule());
    Outcome outcome = meter.probe(arrival, buckets).settle(elsewhere);
    if (rows.size() >= sweepAt) {
      sweep(arrival.nowMicros());
      sweepAt = Math.max(LEAST_TO_SWEEP, 2 * rows.size());
    }
    return outcome;
  }

  private void sweep(long nowMicros) {
    for (byte[] row : rows.keys()) {
      byte[] value = rows.get(row);
      if (value != null) sweeper.sweep(row, value, nowMicros);
    }
  }

  /** How many rows are kept: one for a key, or several if it has many calls in a window. */
  synchronized int size() {
    return rows.size();
  }
}
