package io.sluice.spring.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.Standing;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory of a process, which callers with ever new keys must not fill. */
class HeapMeterTest {
  private static final long START = 1_700_000_000_000_000L;
  private static final long MILLI = 1_000;

  @ParameterizedTest
  @EnumSource(names = {"GCRA", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
  void keysThatAreAsGoodAsNewAreForgotten(Algorithm algorithm) {
    Rule rule = Rule.policing("each", Quota.parse("1/1s"), algorithm);
    HeapMeter meter = new HeapMeter();
    int most = 0;
    for (int i = 0; i < 20_000; i++) {
      Arrival arrival = new Arrival("", 1, START + i * MILLI);
      meter.meter(arrival, List.of(new Bucket(rule, "key-" + i)), Standing.NONE);
      most = Math.max(most, meter.size());
    }
    assertThat(most).isBetween(1_024, 5_000);
  }
}
