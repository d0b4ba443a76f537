package io.sluice.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.rows.UnknownFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares stored rows with golden files of releases, which every later release must read, or
 * refuse by name. Changed bytes are a new format: it needs a new version, and golden files of the
 * release that writes it, beside those of earlier releases. In snapshots before 0.2.0, a funnel's
 * row has no rate.
 */
class StoredRowsTest {
  private static final String FIRST = "golden/before-0.2.0/rows.txt";
  private static final String GOLDEN = "golden/" + StoredTraffic.RELEASE + "/rows.txt";
  private static final String ANSWERS = "rows-answers.txt";
  private static final long NOON = 1_790_000_000_000_000L;
  private static final HexFormat HEX = HexFormat.of();

  private static final Quota QUOTA = Quota.parse("7/60s");
  private static final Quota DAILY = Quota.of(5, CalendarUnit.DAY);
  private static final List<Rule> RULES =
      List.of(
          Rule.policing("funnel", QUOTA, Algorithm.GCRA),
          new Rule("delays", Quota.parse("1/2s"), Algorithm.GCRA, 600_000_000, false, false),
          Rule.policing("log", QUOTA, Algorithm.SLIDING_WINDOW_LOG),
          Rule.policing("long", Quota.parse("300/60s"), Algorithm.SLIDING_WINDOW_LOG),
          new Rule("tries", Quota.parse("2/60s"), Algorithm.SLIDING_WINDOW_LOG, 0, true, false),
          Rule.policing("counter", QUOTA, Algorithm.SLIDING_WINDOW_COUNTER),
          Rule.policing("blocks", QUOTA, Algorithm.GCRA).blocking(3_600_000_000L),
          Rule.policing("blocks", QUOTA, Algorithm.SLIDING_WINDOW_LOG).blocking(3_600_000_000L),
          Rule.policing("blocks", QUOTA, Algorithm.SLIDING_WINDOW_COUNTER).blocking(3_600_000_000L),
          new Rule("days", DAILY, Algorithm.CALENDAR_WINDOW, 172_800_000_000L, false, false)
              .in(ZoneId.of("Europe/Berlin")),
          Rule.policing("blocks", DAILY, Algorithm.CALENDAR_WINDOW).blocking(3_600_000_000L),
          Rule.policing("people", QUOTA, Algorithm.DISTINCT_LOG),
          Rule.policing("blocks", Quota.parse("2/60s"), Algorithm.DISTINCT_LOG)
              .blocking(3_600_000_000L),
          Rule.policing("reach", QUOTA, Algorithm.HYPERLOGLOG));
  private static final List<Rule> RULES_OF_FIRST = RULES.subList(0, 6);

  /** Returns the i-th arrival of a bucket: some cost more, some have no identity. */
  private static Arrival arrival(int i) {
    Identity identity =
        i % 5 == 4
            ? Identity.NONE
            : Identity.of(
                "ann",
                "reply",
                "id-" + i,
                new Identity.Source("actions-0-" + i, "ann", NOON / 1_000 + i, 1));
    return new Arrival(identity, 1 + i % 3 / 2, NOON + 100_000L * i);
  }

  private static List<Bucket> buckets(Rule rule, int i) {
    return List.of(new Bucket(rule, "ann", "ann", ValueHash.of(List.of("value-" + i / 2))));
  }

  private static WatchedRows written() {
    WatchedRows rows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    for (Rule rule : RULES) {
      int count = rule.name().equals("long") ? 150 : 6;
      for (int i = 0; i < count; i++) {
        meter.meter(arrival(i), buckets(rule, i));
      }
    }
    for (Rule rule : StoredTraffic.rules()) meter(meter, StoredTraffic.before(rule));
    return rows;
  }

  private static List<String> meter(RowMeter meter, List<StoredTraffic.Event> events) {
    return events.stream()
        .map(each -> StoredTraffic.text(each, meter.meter(each.arrival(), each.buckets())))
        .toList();
  }

  private static WatchedRows read(String file) throws IOException {
    WatchedRows read = new WatchedRows();
    golden(file).forEach((key, value) -> read.put(HEX.parseHex(key), HEX.parseHex(value)));
    return read;
  }

  private static String answersOver(WatchedRows rows) {
    RowMeter meter = new RowMeter(rows);
    return StoredTraffic.rules().stream()
        .flatMap(rule -> meter(meter, StoredTraffic.after(rule)).stream())
        .collect(joining("\n", "", "\n"));
  }

  private static Map<String, String> golden(String file) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    try (InputStream in = StoredRowsTest.class.getResourceAsStream(file)) {
      for (String line : new String(in.readAllBytes(), UTF_8).split("\n")) {
        String[] row = line.split(" ");
        rows.put(row[0], row[1]);
      }
    }
    return rows;
  }

  private static String text(Map<String, String> rows) {
    StringBuilder text = new StringBuilder();
    rows.forEach((key, value) -> text.append(key).append(' ').append(value).append('\n'));
    return text.toString();
  }

  @Test
  void theBytesAreThoseOfTheGoldenFile() throws IOException {
    StoredTraffic.assertGolden("rows.txt", text(written().content()));
  }

  @Test
  void theAnswersAreThoseOfTheGoldenFile() {
    StoredTraffic.assertGolden(ANSWERS, answersOver(written()));
  }

  /** Each of these is a release that a running system may be upgraded from. */
  @ParameterizedTest
  @ValueSource(strings = "0.2.0")
  void rowsOfAReleaseGetTheAnswersThatItGave(String release) throws IOException {
    assertThat(answersOver(read("golden/" + release + "/rows.txt")).lines().toList())
        .isEqualTo(StoredTraffic.golden(release, ANSWERS).lines().toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {FIRST, GOLDEN})
  void goldenRowsAreReadAndGoneOnWith(String file) throws IOException {
    RowMeter there = new RowMeter(read(file));
    RowMeter here = new RowMeter(written());
    for (Rule rule : file.equals(FIRST) ? RULES_OF_FIRST : RULES) {
      for (int i = 0; i < 200; i += 1 + i / 20) {
        List<Bucket> buckets = buckets(rule, i);
        assertThat(there.meter(arrival(i), buckets))
            .as("%s, arrival %d", rule.name(), i)
            .isEqualTo(here.meter(arrival(i), buckets));
      }
    }
  }

  @Test
  void rowsOfALaterFormatAreRefusedByName() {
    WatchedRows rows = written();
    rows.forEach(
        (key, value) -> {
          value[0] = 9;
          rows.put(key, value);
        });
    RowMeter meter = new RowMeter(rows);
    for (Rule rule : RULES) {
      assertThatThrownBy(() -> meter.meter(arrival(0), List.of(new Bucket(rule, "ann"))))
          .isInstanceOf(UnknownFormatException.class)
          .hasMessage(
              "a bucket of limit "
                  + rule.name()
                  + " is stored in format 9, and this release reads up to "
                  + (rule.algorithm() == Algorithm.GCRA ? 2 : 1)
                  + ": run the release that wrote it, or a later one");
    }
    RowSweeper sweeper = new RowSweeper(rows, RULES);
    assertThatThrownBy(() -> rows.forEach((key, value) -> sweeper.sweep(key, value, NOON)))
        .isInstanceOf(UnknownFormatException.class);
  }

  /**
   * This is the best guess: the release that wrote the row used that rate, or heard of a change
   * late.
   */
  @Test
  void aFunnelsRowWithoutARateTakesTheOneInForceAtItsClock() throws IOException {
    Rule funnel = RULES.get(0);
    Change twice = new Change.Numbers(NOON + 400_001, Quota.parse("14/60s"), 0);
    Change before = new Change.Numbers(NOON + 400_000, Quota.parse("14/60s"), 0);
    assertThat(remaining(FIRST, funnel, 600_000)).isEqualTo(1);
    assertThat(remaining(FIRST, funnel.changing(List.of(twice)), 600_000)).isEqualTo(8);
    assertThat(remaining(GOLDEN, funnel.changing(List.of(before)), 600_000)).isEqualTo(8);
    // The 51.3 s that are left of it are 12 of 14 permits at the rate that it is read with.
    assertThat(remaining(FIRST, funnel.changing(List.of(before)), 600_000)).isEqualTo(2);
  }

  private static long remaining(String file, Rule rule, long afterNoon) throws IOException {
    return new RowMeter(read(file))
        .meter(new Arrival("", 0, NOON + afterNoon), List.of(new Bucket(rule, "ann")))
        .decision(0)
        .remaining();
  }

  /** Rows of snapshots before the first release, whose values had no version. */
  @Test
  void rowsWithoutAVersionAreSwept() {
    WatchedRows rows = new WatchedRows();
    rows.put("\0log\0lann".getBytes(UTF_8), new byte[] {5, 5, 1, 0, 0, 2});
    rows.put("\1\0log\0lann00000001".getBytes(UTF_8), new byte[20]);
    rows.put("\0funnel\0gann".getBytes(UTF_8), new byte[16]);
    RowSweeper sweeper = new RowSweeper(rows, RULES);
    rows.forEach((key, value) -> sweeper.sweep(key, value, 0));
    assertThat(rows.size()).isZero();
  }
}
