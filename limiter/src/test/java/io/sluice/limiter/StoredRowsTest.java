package io.sluice.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.rows.UnknownFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Rows that this release has written, in a golden file that every later one must read, or refuse by
 * name. Changed bytes are a new format: with a new version, and a golden file of their own.
 */
class StoredRowsTest {
  private static final String GOLDEN = "rows-1.txt";
  private static final long NOON = 1_790_000_000_000_000L;
  private static final HexFormat HEX = HexFormat.of();

  private static final Quota QUOTA = Quota.parse("7/60s");
  private static final List<Rule> RULES =
      List.of(
          Rule.policing("funnel", QUOTA, Algorithm.GCRA),
          new Rule("delays", Quota.parse("1/2s"), Algorithm.GCRA, 600_000_000, false, false),
          Rule.policing("log", QUOTA, Algorithm.SLIDING_WINDOW_LOG),
          Rule.policing("long", Quota.parse("300/60s"), Algorithm.SLIDING_WINDOW_LOG),
          new Rule("tries", Quota.parse("2/60s"), Algorithm.SLIDING_WINDOW_LOG, 0, true, false),
          Rule.policing("counter", QUOTA, Algorithm.SLIDING_WINDOW_COUNTER));

  /** The i-th arrival of a bucket: some cost more, some have no name. */
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

  private static WatchedRows written() {
    WatchedRows rows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    for (Rule rule : RULES) {
      int count = rule.name().equals("long") ? 150 : 6;
      for (int i = 0; i < count; i++) {
        meter.meter(arrival(i), List.of(new Bucket(rule, "ann")));
      }
    }
    return rows;
  }

  private static Map<String, String> golden() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    try (InputStream in = StoredRowsTest.class.getResourceAsStream(GOLDEN)) {
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
    assertThat(text(written().content()))
        .as("the content of src/test/resources/io/sluice/limiter/" + GOLDEN)
        .isEqualTo(text(golden()));
  }

  @Test
  void goldenRowsAreReadAndGoneOnWith() throws IOException {
    WatchedRows read = new WatchedRows();
    golden().forEach((key, value) -> read.put(HEX.parseHex(key), HEX.parseHex(value)));
    RowMeter there = new RowMeter(read);
    RowMeter here = new RowMeter(written());
    for (Rule rule : RULES) {
      for (int i = 0; i < 200; i += 1 + i / 20) {
        List<Bucket> buckets = List.of(new Bucket(rule, "ann"));
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
                  + " is stored in format 9, and this release reads up to 1:"
                  + " run the release that wrote it, or a later one");
    }
    RowSweeper sweeper = new RowSweeper(rows, RULES);
    assertThatThrownBy(() -> rows.forEach((key, value) -> sweeper.sweep(key, value, NOON)))
        .isInstanceOf(UnknownFormatException.class);
  }

  /** Of snapshots before the first release, whose values had no version. */
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
