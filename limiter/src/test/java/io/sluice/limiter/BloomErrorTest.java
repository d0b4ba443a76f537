package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.filter.FilterSize;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.HeapRows;
import io.sluice.limiter.rows.Rows;
import io.sluice.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measures the error of filters with many keys, each of them twice: 25,000, or 1,250,000 at full
 * scale. The rationale has the figures for ten million ({@code -Dsluice.test.scale=500}).
 */
class BloomErrorTest {
  private static final int PAIRS = TestScale.of(20_000, 1_000_000);
  private static final long PERIOD = 30L * 24 * 3_600_000_000L;
  private static final long START = 19_005L * 24 * 3_600_000_000L;

  /** Most bytes that an event writes, for a limit with a name of this length. */
  private static final int MOST_BYTES = 100;

  private final List<String> grown = new ArrayList<>();
  private final CountedRows rows = new CountedRows();
  private final RowMeter meter =
      new RowMeter(rows, new Conditions(1, true, now -> now - 120_000_000, grown::add));

  private static final class CountedRows implements Rows {
    private final HeapRows rows = new HeapRows();
    private long bytes;
    private long most;
    private long blocks;

    @Override
    public byte[] get(byte[] key) {
      return rows.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      if (value.length == 64 && rows.get(key) == null) blocks++;
      bytes += key.length + value.length;
      rows.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
      rows.delete(key);
    }

    void eventEnds() {
      if (bytes > most) most = bytes;
      bytes = 0;
    }
  }

  /**
   * The keys are spread over 1.25 periods, so that five generations are full when the last one
   * comes.
   */
  @ParameterizedTest
  @CsvSource({"0.001, 1", "0.01, 1", "0.01, 4", "0.1, 1"})
  void noKeyPassesTwiceAndFewAreRefusedWrongly(double error, int timesTheCapacity) {
    FilterSize size = new FilterSize(PAIRS / timesTheCapacity, error);
    Rule rule = Rule.policing("offer", new Quota(1, PERIOD, 1), Algorithm.BLOOM).with(size);
    int pairs = PAIRS + PAIRS / 4;
    int wrong = 0;
    for (int i = 0; i < pairs; i++) {
      long now = START + i * (PERIOD / PAIRS);
      boolean first = admits(rule, i, now, "first");
      boolean again = admits(rule, i, now + PERIOD / 8, "again");
      if (!first) wrong++;
      if (first && again) assertThat(i).as("a key that passed twice").isNegative();
    }
    int fresh = Math.min(PAIRS, 1_000_000);
    int refused = 0;
    long end = START + PERIOD * 5 / 4 - 1;
    for (int i = 0; i < fresh; i++) {
      if (!asks(rule, "new-" + i, end)) refused++;
    }
    System.out.printf(
        "error %s, %d times the capacity of %d: %d of %d refused wrongly, of new ones at the end"
            + " %d of %d; %.2f bytes of blocks a pair of the capacity%n",
        error,
        timesTheCapacity,
        size.capacity(),
        wrong,
        pairs,
        refused,
        fresh,
        64.0 * rows.blocks / size.capacity());
    assertThat((double) wrong / pairs).isLessThanOrEqualTo(error);
    assertThat((double) refused / fresh).isBetween(error / 10, error);
    assertThat(grown).hasSize(timesTheCapacity > 1 ? 5 : 0);
    if (timesTheCapacity == 1) {
      assertThat(64 * rows.blocks).isLessThanOrEqualTo(size.bytes() * 101 / 100);
    }
  }

  private boolean admits(Rule rule, int i, long nowMicros, String record) {
    Arrival arrival = new Arrival(record + i, 1, nowMicros);
    boolean admitted =
        meter.meter(arrival, List.of(new Bucket(rule, "user-" + i + "|offer-7"))).admitted();
    rows.eventEnds();
    return admitted;
  }

  private boolean asks(Rule rule, String key, long nowMicros) {
    Arrival arrival = new Arrival("", 0, nowMicros);
    return meter.meter(arrival, List.of(new Bucket(rule, key))).admitted();
  }

  @Test
  void anEventWritesAHundredBytesAtMost() {
    FilterSize size = new FilterSize(10_000_000, 0.001);
    Rule rule = Rule.policing("offer", new Quota(1, PERIOD, 1), Algorithm.BLOOM).with(size);
    for (int i = 0; i < 3; i++) admits(rule, i, START, "first");
    rows.most = 0;
    for (int i = 3; i < 20_000; i++) admits(rule, i, START, "first");
    assertThat(rows.most).isBetween(64L, (long) MOST_BYTES);
  }
}
