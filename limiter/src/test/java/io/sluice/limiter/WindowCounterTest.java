package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.rows.HeapRows;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowCounterTest {
  private static final long PERIOD = 60_000_000;
  private final RowMeter meter = new RowMeter(new HeapRows());

  private Decision meter(String quota, long cost, long nowMicros) {
    Rule rule = Rule.policing("limit", Quota.parse(quota), Algorithm.SLIDING_WINDOW_COUNTER);
    Outcome outcome =
        meter.meter(new Arrival("", cost, nowMicros), List.of(new Bucket(rule, "key")));
    return outcome.decision(0);
  }

  /** N arrivals come at the very end of a period, then as many as the decaying estimate admits. */
  @Test
  void theWorstWindowHoldsTwiceTheQuotaLessOne() {
    int permits = 100;
    long start = 5 * PERIOD - 1;
    assertThat(meter("100/60s", permits, start)).isInstanceOf(Conforming.class);
    int more = 0;
    long now = start + 1;
    while (true) {
      Decision decision = meter("100/60s", 1, now);
      if (decision instanceof Conforming) more++;
      if (decision instanceof NonConforming refused) now += refused.retryAfterMicros();
      if (now - start >= PERIOD) break;
    }
    assertThat(permits + more).isEqualTo(2 * permits - 1);
  }

  @Test
  void itMayRefuseAlthoughTheTrueWindowIsEmpty() {
    assertThat(meter("100/60s", 100, 5 * PERIOD)).isInstanceOf(Conforming.class);
    long aPeriodLater = 6 * PERIOD;
    assertThat(meter("100/60s", 1, aPeriodLater))
        .isEqualTo(new NonConforming(0, PERIOD / 100, PERIOD));
  }

  @Test
  void aLongerPeriodKeepsWhatTheRunningOneHasCounted() {
    assertThat(meter("100/60s", 100, 59 * PERIOD)).isInstanceOf(Conforming.class);
    assertThat(meter("100/1h", 1, 59 * PERIOD + 1)).isInstanceOf(NonConforming.class);
    assertThat(meter("100/1h", 1, 60 * PERIOD)).isInstanceOf(NonConforming.class);
  }
}
