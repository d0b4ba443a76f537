package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotaTest {
  private static final long DAY_MICROS = 86_400_000_000L;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5/60s           | 5          | 60000000",
        "5 / 60s         | 5          | 60000000",
        "1_000_000/1h    | 1000000    | 3600000000",
        "1,000,000/1h    | 1000000    | 3600000000",
        "1/500ms         | 1          | 500000",
        "1/1ms           | 1          | 1000",
        "3/10m           | 3          | 600000000",
        "1/1d            | 1          | 86400000000",
        "30/PT1M         | 30         | 60000000",
        "30/pt1m         | 30         | 60000000",
        "30/P1DT12H      | 30         | 129600000000",
        "2/PT0.0015S     | 2          | 1500",
        "007/60s         | 7          | 60000000",
        "2147483648/1s   | 2147483648 | 1000000",
        "1/3660d         | 1          | 316224000000000",
      })
  void readsPermitsAndPeriod(String text, long permits, long periodMicros) {
    assertThat(Quota.parse(text)).isEqualTo(new Quota(permits, periodMicros, permits));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5               | a quota is permits/period, such as 5/60s: 5",
        "5/              | a quota is permits/period, such as 5/60s: 5/",
        "/60s            | a quota is permits/period, such as 5/60s: /60s",
        "-5/60s          | a quota is permits/period, such as 5/60s: -5/60s",
        "5.5/60s         | a quota is permits/period, such as 5/60s: 5.5/60s",
        "five/60s        | a quota is permits/period, such as 5/60s: five/60s",
        "5/60s/2         | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: 60s/2",
        "5/60            | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: 60",
        "5/60S           | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: 60S",
        "5/1w            | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: 1w",
        "5/1.5s          | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: 1.5s",
        "5/-60s          | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: -60s",
        "5/9223372036854775807d | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: 9223372036854775807d",
        "5/99999999999999999999s | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: 99999999999999999999s",
        "5/Day           | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: Day",
        "5/none          | a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week, month or year: none",
        "0/day           | permits must be 1 to 2147483648: 0",
        "0/60s           | permits must be 1 to 2147483648: 0",
        "2147483649/60s  | permits must be 1 to 2147483648: 2147483649",
        "9999999999999999999/60s | permits must be 1 to 2147483648: 9999999999999999999",
        "5/0s            | period must be 1ms to 3660d: PT0S",
        "5/PT-60S        | period must be 1ms to 3660d: PT-1M",
        "5/PT0.0009S     | period must be 1ms to 3660d: PT0.0009S",
        "5/3661d         | period must be 1ms to 3660d: PT87864H",
        "5/PT0.0010001S  | period must be whole microseconds: PT0.0010001S",
      })
  void saysWhatIsWrongWithAnyOtherText(String text, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> Quota.parse(text)).withMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "5/hour, 5, HOUR",
    "'1,000/day', 1000, DAY",
    "1 / week, 1, WEEK",
    "1_000_000/month, 1000000, MONTH",
    "2147483648/year, 2147483648, YEAR"
  })
  void readsPermitsAndAPeriodOfTheCalendar(String text, long permits, CalendarUnit unit) {
    assertThat(Quota.parse(text)).isEqualTo(Quota.of(permits, unit));
  }

  @Test
  void theBurstIsThePermitsUnlessSaidOtherwise() {
    Quota quota = Quota.of(30, Duration.ofMinutes(1));
    assertThat(quota.burst()).isEqualTo(30);
    assertThat(quota.withBurst(15)).isEqualTo(new Quota(30, 60_000_000, 15));
    assertThat(quota.period()).isEqualTo(Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1000000, 1, permits must be 1 to 2147483648: 0",
    "-1, 1000000, 1, permits must be 1 to 2147483648: -1",
    "2147483649, 1000000, 1, permits must be 1 to 2147483648: 2147483649",
    "1, 1000000, 0, burst must be 1 to 2147483648: 0",
    "1, 1000000, 2147483649, burst must be 1 to 2147483648: 2147483649",
    "1, 999, 1, period must be 1ms to 3660d: 999 microseconds",
    "1, -9223372036854775808, 1, period must be 1ms to 3660d: -9223372036854775808 microseconds",
    "1, 316224000000001, 1, period must be 1ms to 3660d: 316224000000001 microseconds",
    "1, 316224000000000, 2, a burst of 2 takes more than 3660d to drain at this rate",
    "1, 86400000000, 3661, a burst of 3661 takes more than 3660d to drain at this rate",
  })
  void refusesWhatItsArithmeticCannotHold(
      long permits, long periodMicros, long burst, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Quota(permits, periodMicros, burst))
        .withMessage(message);
  }

  @Test
  void acceptsItsOwnBounds() {
    assertThat(new Quota(1, 3660 * DAY_MICROS, 1).period()).isEqualTo(Duration.ofDays(3660));
    assertThat(new Quota(Quota.MOST_PERMITS, 1_000, Quota.MOST_PERMITS).burst())
        .isEqualTo(1L << 31);
    assertThat(new Quota(1, DAY_MICROS, 3660).burst()).isEqualTo(3660);
  }
}
