package io.sluice.limiter;

import io.sluice.limiter.AlgorithmTraits.ShortWay;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Meters arrivals against several limits at once, with the limits' state in the rows of a key-value
 * store. An arrival is charged to all limits or to none, if the store commits all rows or none of
 * them. Not thread-safe.
 */
public final class RowMeter {
  private final Storage storage;
  private final Map<Algorithm, ShortWay> shortWays = new EnumMap<>(Algorithm.class);

  public RowMeter(Rows rows) {
    this(rows, Conditions.ALONE);
  }

  public RowMeter(Rows rows, Conditions conditions) {
    storage = new Storage(rows, conditions);
    for (Algorithm each : Algorithm.values()) {
      each.traits().shortWay(rows).ifPresent(way -> shortWays.put(each, way));
    }
  }

  /** Meters one arrival against all of its buckets, and writes the rows that change. */
  public Outcome meter(Arrival arrival, List<Bucket> buckets) {
    boolean mayBePlain = buckets.size() == 1 && !arrival.isRelease();
    ShortWay way = mayBePlain ? shortWays.get(algorithm(buckets.get(0))) : null;
    return way == null ? probe(arrival, buckets).settle() : meter(arrival, buckets, way);
  }

  private static Algorithm algorithm(Bucket bucket) {
    return bucket.rule().algorithm();
  }

  private Outcome meter(Arrival arrival, List<Bucket> buckets, ShortWay way) {
    Rule rule = buckets.get(0).rule();
    byte[] row = RowKeys.head(rule, buckets.get(0).key());
    byte[] value = storage.rows().get(row);
    Optional<Outcome> ordinary = way.meter(arrival, rule, row, value);
    if (ordinary.isPresent()) return ordinary.get();
    return alone(arrival, buckets, StoredState.load(rule, storage, row, value));
  }

  private static Outcome alone(Arrival arrival, List<Bucket> buckets, StoredState state) {
    JudgedBucket judged = new JudgedBucket(arrival, buckets.get(0).rule(), state);
    return new Metering(arrival, buckets, new JudgedBucket[] {judged}).settle();
  }

  /**
   * Judges the arrival against all buckets. Nothing is written before the returned metering is
   * settled.
   */
  public Metering probe(Arrival arrival, List<Bucket> buckets) {
    JudgedBucket[] judged = new JudgedBucket[buckets.size()];
    for (int i = 0; i < judged.length; i++) {
      Bucket bucket = buckets.get(i);
      Rule rule = bucket.rule();
      StoredState state = rule.algorithm().traits().stored(rule, storage, bucket.key());
      state.state().about(bucket.value(), bucket.more());
      judged[i] = new JudgedBucket(arrival, rule, state);
    }
    return new Metering(arrival, buckets, judged);
  }
}
