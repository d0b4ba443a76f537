package io.sluice.limiter;

import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import java.util.List;

/**
 * A meter of arrivals against several limits at once, their state in rows of a key-value store.
 * Used by one thread; all or nothing as long as the rows change together or not at all.
 */
public final class RowMeter {
  private final Storage storage;

  public RowMeter(Rows rows) {
    storage = new Storage(rows);
  }

  public RowMeter(Rows rows, Conditions conditions) {
    storage = new Storage(rows, conditions);
  }

  /** Meters one arrival, and writes the rows that change. */
  public Outcome meter(Arrival arrival, List<Bucket> buckets) {
    return probe(arrival, buckets).settle();
  }

  /** Finds out what the limits say. Nothing is written before the metering is settled. */
  public Metering probe(Arrival arrival, List<Bucket> buckets) {
    JudgedBucket[] judged = new JudgedBucket[buckets.size()];
    for (int i = 0; i < judged.length; i++) {
      Bucket bucket = buckets.get(i);
      Rule rule = bucket.rule();
      StoredState state = rule.algorithm().traits().stored(rule, storage, bucket.key());
      state.about(bucket.value());
      judged[i] = new JudgedBucket(arrival, rule, state);
    }
    return new Metering(arrival, buckets, judged);
  }
}
