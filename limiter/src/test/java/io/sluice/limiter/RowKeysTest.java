package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowKeysTest {
  private static final List<String> NAMES = List.of("a", "ab", "al", "ä", "a\u0001", "g", "l");
  private static final String[] PARTS = {
    "", "\0", "\1", "a", "l", "g", "c", "ä", "\uD83D\uDE80", "ab"
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void noTwoRulesAndKeysShareARow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, List<Object>> owners = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      Algorithm algorithm = Algorithm.values()[random.nextInt(3)];
      StringBuilder key = new StringBuilder();
      for (int n = random.nextInt(6); n > 0; n--) key.append(PARTS[random.nextInt(PARTS.length)]);
      Rule rule = Rule.policing(name, Quota.parse("1/1s"), algorithm);
      byte[] row = RowKeys.head(rule, key.toString());
      List<Object> owner = List.of(name, algorithm, key.toString());
      List<Object> before = owners.put(java.util.HexFormat.of().formatHex(row), owner);
      if (before != null) assertThat(before).as("seed %d", seed).isEqualTo(owner);
    }
  }

  /** Long logs whose keys are prefixes of each other, with zero bytes where a number would be. */
  @Test
  void noLogsPieceIsTakenForAnothersRow() {
    Rule rule = Rule.policing("log", Quota.parse("2000/1h"), Algorithm.SLIDING_WINDOW_LOG);
    List<String> keys =
        List.of(
            "", "\0", "k", "k\0", "k\0\0\0\0\0\0\0\0", "k\0\0\0\0\0\0\0\1", "k\0\0\0\0\0\0\0\1\0");
    WatchedRows rows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    for (int i = 0; i < 1_999; i++) {
      for (String key : keys) {
        Arrival arrival = new Arrival("event-" + i, 1, 1_000L * i);
        Outcome outcome = meter.meter(arrival, List.of(new Bucket(rule, key)));
        assertThat(outcome.decision(0).remaining()).isEqualTo(1_999 - i);
      }
    }
    RowSweeper sweeper = new RowSweeper(rows, List.of(rule));
    long later = 2 * 3_600_000_000L;
    rows.forEach((row, value) -> sweeper.sweep(row, value, later));
    assertThat(rows.size()).isZero();
  }

  @Test
  void aRulesNameHoldsNoZeroForItEndsAtOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rule.policing("a\0g", Quota.parse("1/1s"), Algorithm.GCRA))
        .withMessageContaining("zero character");
  }
}
