package io.sluice.spring.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory stays bounded when callers use ever new keys. */
@Tag("slow") // fills the heap with keys until they are swept
class HeapMeterTest {
  private static final long START = 1_700_000_000_000_000L;
  private static final long MILLI = 1_000;
  private static final long HOUR = 3_600_000 * MILLI;
  private static final Rule FUNNEL = rule("1/1s", Algorithm.GCRA);

  private final HeapMeter meter = new HeapMeter((name, algorithm, key) -> Optional.empty());

  @ParameterizedTest
  @EnumSource(names = {"GCRA", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
  void keysThatAreAsGoodAsNewAreForgotten(Algorithm algorithm) {
    Rule rule = rule("1/1s", algorithm);
    int most = 0;
    for (int i = 0; i < 20_000; i++) {
      assertThat(admits(rule, "key-" + i, START + i * MILLI)).isTrue();
      most = Math.max(most, meter.size());
    }
    assertThat(most).isBetween(1_000, 5_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"GCRA", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
  void keysThatHaveCallsLeftInTheirPeriodAreNot(Algorithm algorithm) {
    Rule rule = rule("1/1h", algorithm);
    assertThat(admits(rule, "ada", START)).isTrue();
    for (int i = 0; i < 20_000; i++) {
      admits(FUNNEL, "key-" + i, START + i * MILLI);
      if (i % 5_000 == 0) assertThat(admits(rule, "ada", START + i * MILLI)).isFalse();
    }
    assertThat(admits(rule, "ada", START + 20_000 * MILLI)).isFalse();
    assertThat(meter.size()).as("what is kept stops nothing").isLessThan(5_000);
  }

  /** A revision may give one key a longer period than the limit has. */
  @Test
  void aKeyIsForgottenByItsOwnRuleAndNotByTheLastOneOfItsLimit() {
    Rule shared = Rule.policing("reply", Quota.parse("1/1s"), Algorithm.GCRA);
    Rule longer = Rule.policing("reply", Quota.parse("1/1h"), Algorithm.GCRA);
    HeapMeter live =
        new HeapMeter((name, algorithm, key) -> Optional.of(key.equals("ada") ? longer : shared));
    assertThat(admits(live, longer, "ada", START)).isTrue();
    for (int i = 0; i < 20_000; i++) admits(live, shared, "key-" + i, START + i * MILLI);
    assertThat(admits(live, longer, "ada", START + 20_000 * MILLI)).isFalse();
    assertThat(live.size()).isLessThan(5_000);
  }

  @Test
  void noCallPaysForAllThatIsToBeForgotten() {
    for (int i = 0; i < 20_000; i++) admits(FUNNEL, "key-" + i, START + i);
    assertThat(meter.size()).isEqualTo(20_000);

    for (int calls = 0; meter.size() > 1; calls++) {
      int before = meter.size();
      admits(FUNNEL, "ada", START + HOUR + calls);
      assertThat(before - meter.size()).isLessThanOrEqualTo(2);
      assertThat(calls).isLessThanOrEqualTo(20_000);
    }
  }

  @Test
  void aLogOfManyCallsIsForgottenAsAWhole() {
    Rule log = rule("10000/1s", Algorithm.SLIDING_WINDOW_LOG);
    for (int i = 0; i < 10_000; i++) admits(log, "ada", START + i);
    assertThat(meter.size()).isGreaterThan(5);

    for (int i = 0; i < 100; i++) admits(FUNNEL, "bob", START + HOUR + i);
    assertThat(meter.size()).isEqualTo(1);
  }

  private static Rule rule(String quota, Algorithm algorithm) {
    return Rule.policing(quota + algorithm, Quota.parse(quota), algorithm);
  }

  private boolean admits(Rule rule, String key, long micros) {
    return admits(meter, rule, key, micros);
  }

  private static boolean admits(HeapMeter meter, Rule rule, String key, long micros) {
    Arrival arrival = new Arrival("", 1, micros);
    return meter.meter(arrival, List.of(new Bucket(rule, key)), Standing.NONE).admitted();
  }
}
