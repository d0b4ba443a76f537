package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.limiter.rows.HeapRows;
import io.sluice.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow") // millions of values, to measure the error of an estimate
class DistinctSketchTest extends SketchContract {

  private final WatchedRows rows = new WatchedRows();
  private final RowMeter meter = new RowMeter(rows);

  @Override
  protected List<Outcome> meter(List<Arrival> arrivals, List<Bucket> buckets) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < arrivals.size(); i++) {
      outcomes.add(meter.meter(arrivals.get(i), List.of(buckets.get(i))));
    }
    return outcomes;
  }

  private static Bucket any(Rule rule, SplittableRandom random) {
    return new Bucket(rule, "c", "c", new ValueHash(random.nextLong(), random.nextLong()));
  }

  /** Uses 3 seeds, or 30 at full scale; always the same ones, because an estimate can be off. */
  @ParameterizedTest
  @ValueSource(longs = {1_000, 100_000})
  void theLimitTakesHoldWithinThreePercent(long permits) {
    Rule rule = rule(permits);
    for (long seed = 0; seed < TestScale.of(3, 30); seed++) {
      RowMeter fresh = new RowMeter(new HeapRows());
      SplittableRandom random = new SplittableRandom(seed);
      long admitted = 0;
      for (long i = 0; i < 5 * permits; i++) {
        Arrival arrival = new Arrival("", 1, NOON + i);
        if (!fresh.meter(arrival, List.of(any(rule, random))).admitted()) break; // limit reached
        admitted++;
      }
      assertThat(admitted).as("seed %d", seed).isCloseTo(permits, within(3 * permits / 100));
    }
  }

  @Test
  void aKeyTakesLessThanAHundredKilobytes() {
    Rule rule = rule(Quota.MOST_PERMITS);
    SplittableRandom random = new SplittableRandom(1);
    int each = TestScale.of(20_000, 50_000);
    for (int sixth = 0; sixth < 9; sixth++) {
      for (int i = 0; i < each; i++) {
        meter.meter(new Arrival("e" + i, 1, NOON + sixth * SIXTH), List.of(any(rule, random)));
      }
    }
    assertThat(rows.size()).isEqualTo(129);
    assertThat(rows.bytes()).isLessThan(96_000);
    assertThat(rows.longest()).as("what an event rewrites at most, of two rows").isLessThan(850);
  }

  @Test
  void aSweepTakesAllRowsWhenTheLastSixthHasLeft() {
    Rule rule = rule(1_000);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 300; i++) meter.meter(new Arrival("", 1, NOON), List.of(any(rule, random)));
    RowSweeper sweeper = new RowSweeper(rows, List.of(rule));
    int before = rows.size();
    rows.forEach((key, value) -> sweeper.sweep(key, value, NOON + 7 * SIXTH - 1));
    assertThat(rows.size()).isEqualTo(before);
    rows.forEach((key, value) -> sweeper.sweep(key, value, NOON + 7 * SIXTH));
    assertThat(rows.size()).isZero();
  }
}
