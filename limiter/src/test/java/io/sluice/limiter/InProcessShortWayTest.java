package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the fast path for a GCRA limiter in process with the general path, which a rule with a
 * change in the far future takes.
 */
class InProcessShortWayTest {
  private static final int ARRIVALS = 100_000;
  private static final int KEYS = 3;
  private static final long START = 1_700_000_000_000_000L;

  @ParameterizedTest
  @ValueSource(strings = {"5/60s", "1/1h", "7/1s", "1000/1s", "2147483648/1s", "3/7ms"})
  void bothWaysAreTheSame(String text) {
    Quota quota = Quota.parse(text);
    for (long burst : List.of(1L, 2L, quota.burst(), Math.min(2 * quota.burst(), 1L << 31))) {
      Rule rule = Rule.policing("a", quota.withBurst(burst), Algorithm.GCRA);
      assertBothWaysAreTheSame(rule);
    }
  }

  private static void assertBothWaysAreTheSame(Rule rule) {
    Rule changing = rule.changing(List.of(new Change.Reset(Arrival.LATEST_MICROS - 1)));
    InProcessLimiter limiter = new InProcessLimiter(rule, InstantSource.system());
    InProcessLimiter general = new InProcessLimiter(changing, InstantSource.system());
    SplittableRandom random = new SplittableRandom(rule.capacity());
    long step = Math.max(2, rule.quota().periodMicros() / rule.quota().permits());
    long now = START;
    int conforming = 0;
    for (int i = 0; i < ARRIVALS; i++) {
      // Mostly forward, sometimes back behind the bucket's clock.
      now += random.nextLong(step) - (random.nextInt(8) == 0 ? step : 0);
      String key = "key" + random.nextInt(KEYS);
      String id = random.nextInt(4) == 0 ? "event" + random.nextInt(50) : "";
      Arrival arrival = new Arrival(id, cost(random, rule.capacity()), now);
      Decision found = limiter.meter(key, arrival);
      assertThat(found)
          .as("%s of %s, %s", arrival, key, rule)
          .isEqualTo(general.meter(key, arrival));
      if (found instanceof Decision.Conforming) conforming++;
    }
    assertThat(conforming).isBetween(1, ARRIVALS - 1);
  }

  /** Returns mostly 1; sometimes 0, the whole burst, or more. */
  private static long cost(SplittableRandom random, long burst) {
    return switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> burst;
      case 2 -> burst + 1;
      case 3 -> random.nextLong(1, burst + 1);
      default -> 1;
    };
  }
}
