package io.sluice.live.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
  private static final long NOW_MS = Instant.parse("2026-11-22T12:00:00Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource({
    "now, 2026-11-22T12:00:00Z",
    "+2s, 2026-11-22T12:00:02Z",
    "+500ms, 2026-11-22T12:00:00.500Z",
    "-5m, 2026-11-22T11:55:00Z",
    "+PT1M, 2026-11-22T12:01:00Z",
    "2026-11-27T09:00:00+01:00, 2026-11-27T08:00:00Z"
  })
  void aTimeIsReadFromNowOrAsItStands(String text, String time) {
    assertThat(RevisionFormatter.time(Times.read("--at", text, NOW_MS))).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "noon",
        "2s",
        "+",
        "+-2s",
        "+-PT2S",
        "-100000d",
        "+99999999999999d",
        "+9223372036854775807s",
        "2026-11-27T09:00:00",
        "1970-01-01T00:00:00+01:00",
        "2200-01-01T00:00:00Z",
        "1700000000000"
      })
  void whatIsNoTimeIsRefusedWithWhatIsAccepted(String text) {
    assertThatThrownBy(() -> Times.read("--until", text, NOW_MS))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageStartingWith("--until " + text + ": a time is ISO-8601 with an offset");
  }

  @Test
  void aPeriodHasUnitsThatFit() {
    assertThat(
            LongStream.of(1, 999, 1_000, 59_900, 60_000, 90_000, 5_400_000, 7_200_000, 180_000_000)
                .mapToObj(RevisionFormatter::period))
        .containsExactly(
            "1 ms",
            "999 ms",
            "1.0 s",
            "59.9 s",
            "1 min",
            "1 min 30 s",
            "1 h 30 min",
            "2 h",
            "2 d 2 h");
  }

  /** A user who waits as long as the text says is not refused again. */
  @Test
  void aPeriodIsRoundedUp() {
    assertThat(
            LongStream.of(1_001, 59_901, 119_000, 119_001, 3_599_001, 7_199_999, 172_800_001)
                .mapToObj(RevisionFormatter::period))
        .containsExactly("1.1 s", "1 min", "1 min 59 s", "2 min", "1 h", "2 h", "2 d 1 h");
  }
}
