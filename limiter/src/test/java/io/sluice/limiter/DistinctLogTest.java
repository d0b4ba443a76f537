package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class DistinctLogTest extends DistinctContract {
  private static final Rule RULE =
      Rule.policing("many", Quota.parse("1000/60s"), Algorithm.DISTINCT_LOG);

  private final WatchedRows rows = new WatchedRows();
  private final RowMeter meter = new RowMeter(rows);

  @Override
  protected Outcome meter(Arrival arrival, List<Bucket> buckets) {
    return meter.meter(arrival, buckets);
  }

  private Outcome meter(String value, long nowMicros) {
    ValueHash hash = ValueHash.of(List.of(value));
    return meter.meter(
        new Arrival("", 1, nowMicros), List.of(new Bucket(RULE, "ada", "ada", hash)));
  }

  @Test
  void aRowHasAnEntryForEachValueAndNoMore() {
    for (int i = 0; i < 5_000; i++) meter("value-" + i % 1_100, 1_000 + i);
    assertThat(rows.size()).isEqualTo(1);
    assertThat(rows.longest()).isEqualTo(9 + 36 * 1_000);
    meter("new", 61_000_000);
    assertThat(rows.longest()).as("when all others have left").isEqualTo(9 + 36);
  }

  @Test
  void whatChargesNothingIsNotWritten() {
    meter("bob", 1_000);
    Object before = rows.content();
    for (int i = 0; i < 3; i++) assertThat(meter("bob", 2_000 + i).admitted()).isTrue();
    assertThat(rows.content()).isEqualTo(before);
  }

  @Test
  void aSweepForgetsItWhenTheLastValueHasLeft() {
    meter("bob", 1_000);
    meter("eve", 2_000);
    RowSweeper sweeper = new RowSweeper(rows, List.of(RULE));
    rows.forEach((key, value) -> sweeper.sweep(key, value, 60_001_999));
    assertThat(rows.size()).isEqualTo(1);
    rows.forEach((key, value) -> sweeper.sweep(key, value, 60_002_000));
    assertThat(rows.size()).isZero();
  }

  @Test
  void inProcessThereAreNoValuesToTellApart() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InProcessLimiter(RULE, InstantSource.system()))
        .withMessageStartingWith("a limiter in this process cannot count distinct values: ");
  }
}
