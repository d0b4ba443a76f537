package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever goes the short way gets the answer, and leaves the rows, of the general way. */
class ShortWayTest {
  /** Of each kind, seed and schedule: ten million in all. */
  private static final int ARRIVALS = 280_000;

  private static final int KEYS = 5;
  private static final long DAY_MICROS = 86_400_000_000L;

  static Stream<Arguments> funnels() {
    Quota plain = Quota.of(5, Duration.ofSeconds(60));
    Quota uneven = Quota.parse("7/1s").withBurst(3);
    Quota wide = new Quota(Quota.MOST_PERMITS, DAY_MICROS, Quota.MOST_PERMITS);
    return Stream.of(
        Arguments.of("plain", rule(plain), plain),
        Arguments.of("uneven", rule(uneven), uneven),
        Arguments.of("most permits", rule(wide), wide),
        Arguments.of("watches", new Rule("a", plain, Algorithm.GCRA, 0, false, true), plain),
        Arguments.of(
            "shapes", new Rule("a", plain, Algorithm.GCRA, 9_000_000, false, false), plain),
        Arguments.of("blocks", rule(plain).blocking(30_000_000), plain));
  }

  private static Rule rule(Quota quota) {
    return Rule.policing("a", quota, Algorithm.GCRA);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("funnels")
  void bothWaysAreTheSame(String name, Rule rule, Quota quota) {
    for (long seed = 0; seed < 3; seed++) {
      assertBothWaysAreTheSame(traffic(seed, quota), rule);
      Traffic traffic = traffic(seed, quota);
      long first = traffic.next().arrival().nowMicros();
      assertBothWaysAreTheSame(traffic, changing(rule, quota, first));
    }
  }

  private static Traffic traffic(long seed, Quota quota) {
    return new Traffic(seed, KEYS, List.of(quota), true, true);
  }

  /** It has other numbers, delays, blocks and begins anew, over and over. */
  private static Rule changing(Rule rule, Quota quota, long fromMicros) {
    Quota other = new Quota(2 * Math.min(quota.permits(), 1_000), quota.periodMicros(), 10);
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      long at = fromMicros + i * 2 * quota.periodMicros();
      changes.add(
          switch (i % 6) {
            case 0, 2 -> new Change.Numbers(at, other, 0, 0);
            case 1 -> new Change.Numbers(at, quota, quota.periodMicros(), 0);
            case 3 -> new Change.Numbers(at, quota, 0, 0);
            case 4 -> new Change.Numbers(at, quota, 0, 40_000_000);
            default -> new Change.Reset(at);
          });
    }
    return rule.changing(changes);
  }

  private static void assertBothWaysAreTheSame(Traffic traffic, Rule rule) {
    WatchedRows rows = new WatchedRows();
    WatchedRows generalRows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    RowMeter general = new RowMeter(generalRows);
    for (int i = 0; i < ARRIVALS; i++) {
      Traffic.Event event = traffic.next();
      List<Bucket> buckets = List.of(new Bucket(rule, "key" + event.key()));
      Outcome found = meter.meter(event.arrival(), buckets);
      Outcome expected = general.probe(event.arrival(), buckets).settle();
      if (!found.equals(expected)) assertThat(found).as("arrival %d", i).isEqualTo(expected);
      if (i % 1_000 == 0) assertThat(rows.content()).isEqualTo(generalRows.content());
      Scenarios.hint(traffic, found);
    }
    assertThat(rows.content()).isEqualTo(generalRows.content());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("funnels")
  void mostGoTheShortWayThatCan(String name, Rule rule, Quota quota) {
    WatchedRows rows = new WatchedRows();
    AlgorithmTraits.ShortWay way = Algorithm.GCRA.traits().shortWay(rows).orElseThrow();
    Traffic traffic = new Traffic(7, KEYS, List.of(quota));
    int shortly = 0;
    for (int i = 0; i < ARRIVALS; i++) {
      Traffic.Event event = traffic.next();
      byte[] row = RowKeys.head(rule, "key" + event.key());
      if (way.meter(event.arrival(), rule, row, rows.get(row)).isPresent()) shortly++;
    }
    boolean polices = !rule.shadow() && !rule.shapes() && !rule.blocks();
    if (polices) assertThat(shortly).isGreaterThan(ARRIVALS / 2);
    else assertThat(shortly).isZero();
  }

  /** Reserved while the limit shaped, and over when it polices, with more permits. */
  @Test
  void aTurnThatIsOverIsForgotten() {
    Quota slow = Quota.of(1, Duration.ofSeconds(10));
    Rule shaping = new Rule("a", slow, Algorithm.GCRA, 60_000_000, false, false);
    Quota fast = Quota.of(10, Duration.ofSeconds(10));
    long start = 1_000_000_000;
    Rule rule = shaping.changing(List.of(new Change.Numbers(start + 2_000_000, fast, 0)));
    WatchedRows rows = new WatchedRows();
    WatchedRows generalRows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    RowMeter general = new RowMeter(generalRows);
    for (long after : new long[] {0, 1_000_000, 3_000_000, 11_000_000}) {
      Arrival arrival = new Arrival("e" + after, 1, start + after);
      List<Bucket> buckets = List.of(new Bucket(rule, "ada"));
      assertThat(meter.meter(arrival, buckets).admitted()).isTrue();
      general.probe(arrival, buckets).settle();
      assertThat(rows.content()).isEqualTo(generalRows.content());
    }
  }
}
