package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.rows.UnknownFormatException;
import io.sluice.testing.TestScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the fast paths with the general path: the same answers, and the same rows. Meters 8,000
 * arrivals (1,500 for a log) of each kind and schedule with one seed; at full scale 280,000
 * (10,000) with three, which are ten million in all.
 */
class ShortWayTest {
  private static final int FUNNEL_ARRIVALS = TestScale.of(8_000, 280_000);

  /** Fewer, because the general path of a log is slow. */
  private static final int LOG_ARRIVALS = TestScale.of(1_500, 10_000);

  private static final int KEYS = 5;
  private static final long DAY_MICROS = 86_400_000_000L;
  private static final Quota PLAIN = Quota.parse("5/60s");
  private static final Quota WIDE = new Quota(Quota.MOST_PERMITS, DAY_MICROS, Quota.MOST_PERMITS);

  static Stream<Arguments> rules() {
    return Stream.concat(funnels(), logs());
  }

  private static Stream<Arguments> funnels() {
    return Stream.concat(
        Stream.of(Quota.parse("7/1s").withBurst(3)).map(each -> polices(each, Algorithm.GCRA)),
        ofEachKind(Algorithm.GCRA));
  }

  /** Returns logs of one entry, and up to logs that do not stay in one row. */
  private static Stream<Arguments> logs() {
    Algorithm log = Algorithm.SLIDING_WINDOW_LOG;
    Rule attempts = new Rule("a", PLAIN, log, 0, true, false);
    return Stream.concat(
        Stream.of("1/2s", "7/1s", "70/60s", "300/60s").map(each -> polices(Quota.parse(each), log)),
        Stream.concat(
            ofEachKind(log), Stream.of(Arguments.of("log, counts attempts", attempts, PLAIN))));
  }

  private static Stream<Arguments> ofEachKind(Algorithm algorithm) {
    String title = algorithm.title();
    Rule polices = Rule.policing("a", PLAIN, algorithm);
    Rule watches = new Rule("a", PLAIN, algorithm, 0, false, true);
    Rule shapes = new Rule("a", PLAIN, algorithm, 9_000_000, false, false);
    return Stream.of(
        polices(PLAIN, algorithm),
        polices(WIDE, algorithm),
        Arguments.of(title + ", watches", watches, PLAIN),
        Arguments.of(title + ", shapes", shapes, PLAIN),
        Arguments.of(title + ", blocks", polices.blocking(30_000_000), PLAIN));
  }

  private static Arguments polices(Quota quota, Algorithm algorithm) {
    String name = algorithm.title() + ", " + quota.permits() + " in " + quota.period();
    return Arguments.of(name, Rule.policing("a", quota, algorithm), quota);
  }

  private static int arrivals(Rule rule) {
    return rule.algorithm() == Algorithm.GCRA ? FUNNEL_ARRIVALS : LOG_ARRIVALS;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void bothWaysAreTheSame(String name, Rule rule, Quota quota) {
    for (long seed : TestScale.seeds(1, 3).toArray()) {
      assertBothWaysAreTheSame(seed, traffic(seed, quota), List.of(rule));
      Traffic traffic = traffic(seed, quota);
      long first = traffic.next().arrival().nowMicros();
      assertBothWaysAreTheSame(seed, traffic, List.of(changing(rule, quota, first)));
    }
  }

  /**
   * The rules change as after restarts with other settings, so rows have blocks, refused attempts
   * and reserved slots.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void rowsOfOtherRulesAreTheSameToBoth(long seed) {
    Algorithm log = Algorithm.SLIDING_WINDOW_LOG;
    Quota more = Quota.parse("20/90s");
    Rule polices = Rule.policing("a", PLAIN, log);
    List<Rule> turns =
        List.of(
            polices,
            new Rule("a", PLAIN, log, 0, true, false),
            polices.blocking(20_000_000),
            new Rule("a", PLAIN, log, 40_000_000, false, false),
            new Rule("a", more, log, 0, false, true),
            Rule.policing("a", more, log));
    assertBothWaysAreTheSame(seed, traffic(seed, PLAIN), turns);
  }

  static LongStream seeds() {
    return TestScale.seeds(1, 3);
  }

  @ParameterizedTest
  @EnumSource(names = {"GCRA", "SLIDING_WINDOW_LOG"})
  void aRowOfALaterReleaseIsRefused(Algorithm algorithm) {
    Rule rule = Rule.policing("a", PLAIN, algorithm);
    WatchedRows rows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    List<Bucket> buckets = List.of(new Bucket(rule, "ada"));
    meter.meter(new Arrival("first", 1, 1_000), buckets);
    byte[] row = RowKeys.head(rule, "ada");
    byte[] later = rows.get(row).clone();
    later[0] = 9;
    rows.put(row, later);
    assertThatThrownBy(() -> meter.meter(new Arrival("second", 1, 2_000), buckets))
        .isInstanceOf(UnknownFormatException.class);
    assertThat(rows.get(row)).isEqualTo(later);
  }

  private static Traffic traffic(long seed, Quota quota) {
    return new Traffic(seed, KEYS, List.of(quota), true, true);
  }

  /** Returns a rule that gets other numbers, delays, blocks and is reset, over and over. */
  private static Rule changing(Rule rule, Quota quota, long fromMicros) {
    Quota other = new Quota(2 * Math.min(quota.permits(), 1_000), quota.periodMicros(), 10);
    long patience = rule.countsAttempts() ? 0 : quota.periodMicros();
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      long at = fromMicros + i * 2 * quota.periodMicros();
      changes.add(
          switch (i % 6) {
            case 0, 2 -> new Change.Numbers(at, other, 0, 0);
            case 1 -> new Change.Numbers(at, quota, patience, 0);
            case 3 -> new Change.Numbers(at, quota, 0, 0);
            case 4 -> new Change.Numbers(at, quota, 0, 40_000_000);
            default -> new Change.Reset(at);
          });
    }
    return rule.changing(changes);
  }

  /**
   * @param turns the rules, each used for 40 arrivals in turn
   */
  private static void assertBothWaysAreTheSame(long seed, Traffic traffic, List<Rule> turns) {
    WatchedRows rows = new WatchedRows();
    WatchedRows generalRows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    RowMeter general = new RowMeter(generalRows);
    for (int i = 0; i < arrivals(turns.get(0)); i++) {
      Traffic.Event event = traffic.next();
      Rule rule = turns.get(i / 40 % turns.size());
      List<Bucket> buckets = List.of(new Bucket(rule, "key" + event.key()));
      Outcome found = meter.meter(event.arrival(), buckets);
      Outcome expected = general.probe(event.arrival(), buckets).settle();
      if (!found.equals(expected))
        assertThat(found).as("seed %d, arrival %d", seed, i).isEqualTo(expected);
      if (i % 1_000 == 0) assertSame(seed, rows, generalRows);
      Scenarios.hint(traffic, found);
    }
    assertSame(seed, rows, generalRows);
  }

  private static void assertSame(long seed, WatchedRows rows, WatchedRows generalRows) {
    assertThat(rows.content()).as("seed %d", seed).isEqualTo(generalRows.content());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void mostGoTheShortWayThatCan(String name, Rule rule, Quota quota) {
    WatchedRows rows = new WatchedRows();
    AlgorithmTraits.ShortWay way = rule.algorithm().traits().shortWay(rows).orElseThrow();
    RowMeter general = new RowMeter(rows);
    Traffic traffic = new Traffic(7, KEYS, List.of(quota));
    int shortly = 0;
    for (int i = 0; i < arrivals(rule); i++) {
      Traffic.Event event = traffic.next();
      byte[] row = RowKeys.head(rule, "key" + event.key());
      boolean isOrdinary = way.meter(event.arrival(), rule, row, rows.get(row)).isPresent();
      List<Bucket> buckets = List.of(new Bucket(rule, "key" + event.key()));
      if (isOrdinary) shortly++;
      else general.probe(event.arrival(), buckets).settle();
    }
    if (rule.onlyPolices()) assertThat(shortly).isGreaterThan(arrivals(rule) / 2);
    else assertThat(shortly).isZero();
  }

  /**
   * The slot is reserved while the limit shapes, and is past when the limit polices with more
   * permits.
   */
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
