package io.sluice.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PastSpanTest {
  private static final Instant NOW = Instant.parse("2026-11-22T13:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "24h,,, 2026-11-21T13:00:00Z,",
    "PT30M,,, 2026-11-22T12:30:00Z,",
    "1d,, now, 2026-11-21T13:00:00Z, 2026-11-22T13:00:00Z",
    ", -2h, -1h, 2026-11-22T11:00:00Z, 2026-11-22T12:00:00Z",
    ", 2026-11-01T10:00:00+01:00, 2026-11-02T00:00:00Z, 2026-11-01T09:00:00Z, 2026-11-02T00:00:00Z",
    ", 2026-11-01T10:00:00Z, 2030-01-01T00:00:00Z, 2026-11-01T10:00:00Z, 2030-01-01T00:00:00Z",
    "999999d,,, 1970-01-01T00:00:00Z,",
    ", -999999d,, 1970-01-01T00:00:00Z,",
  })
  void timesAreAbsoluteOrAgo(
      String since, String from, String to, Instant expectedFrom, Instant expectedTo) {
    PastSpan span = PastSpan.of(since, from, to, NOW);
    assertThat(span.from()).isEqualTo(expectedFrom);
    assertThat(span.to()).isEqualTo(expectedTo == null ? PastSpan.NO_END : expectedTo);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "    |       | now | --to needs --since or --from",
        "1h  | -1h   |     | --since and --from exclude each other",
        "5   |       |     | --since: a period is 500ms, 60s",
        "99999999999999999d | | | --since: a period is 500ms, 60s",
        "PT-1H |     |     | --since PT-1H must be in the past, and is 2026-11-22T14:00:00Z",
        "    | now   |     | --from now must be in the past",
        "    | 2026-11-23T00:00:00Z | | --from 2026-11-23T00:00:00Z must be in the past",
        "    | 2026-11-21 | | --from 2026-11-21: a time is ISO-8601 with an offset",
        "    | 2026-11-21T00:00:00 | | --from 2026-11-21T00:00:00: a time is ISO-8601",
        "    | 1969-12-31T23:59:59Z | | --from 1969-12-31T23:59:59Z: a time is ISO-8601",
        "    | -x    |     | --from: a period is 500ms, 60s",
        "1h  |       | -1h | --to 2026-11-22T12:00:00Z must be after the beginning",
        "1h  |       | +999999999-12-31T23:59:59Z | --to +999999999-12-31T23:59:59Z: a time is",
      })
  void timesThatMakeNoSenseAreRefused(String since, String from, String to, String message) {
    assertThatThrownBy(() -> PastSpan.of(since, from, to, NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .message()
        .hasLineCount(1);
  }

  @Test
  void periodsOfAnyLengthAreReadOrRefused() {
    assertThat(PastSpan.of("PT2000000000H", null, null, NOW).from()).isEqualTo(Instant.EPOCH);
    assertThatThrownBy(() -> PastSpan.of("-PT9000000000000000S", null, null, NOW))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "24h, 2026-11-21T13:00:00Z",
    "-24h, 2026-11-21T13:00:00Z",
    "PT30M, 2026-11-22T12:30:00Z",
    "2026-11-01T10:00:00+01:00, 2026-11-01T09:00:00Z",
    "999999d, 1970-01-01T00:00:00Z",
  })
  void aBeginningIsAPeriodOrATime(String text, Instant expected) {
    assertThat(PastSpan.begin("--since", text, NOW)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "soon | --since soon: a time is ISO-8601",
        "2026-11-22T13:00:00 | --since 2026-11-22T13:00:00: a time is ISO-8601 with an offset",
        "now | --since now must be in the past",
        "0s | --since 0s must be in the past",
        "2030-01-01T00:00:00Z | --since 2030-01-01T00:00:00Z must be in the past",
      })
  void anotherBeginningIsRefused(String text, String message) {
    assertThatThrownBy(() -> PastSpan.begin("--since", text, NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }
}
