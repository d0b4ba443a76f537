package io.sluice.rules.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.LimitHours;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the parsing of one limit. */
class LimitParserTest {
  @Test
  void aDelayIsReadCompletely() {
    Limit limit =
        read(
            "sluice.limit.reply.exceeded=delay",
            "sluice.limit.reply.delay.max=90s",
            "sluice.limit.reply.algorithm=sliding-window-log");

    assertThat(limit.exceeded()).isEqualTo(new Exceeded.Delay(90_000_000));
    assertThat(limit.rule().patienceMicros()).isEqualTo(90_000_000);
    assertThat(limit.rule().algorithm()).isEqualTo(Algorithm.SLIDING_WINDOW_LOG);
  }

  @Test
  void aDelayIsAtMostTenMinutesByDefault() {
    assertThat(read("sluice.limit.reply.exceeded=delay").exceeded())
        .isEqualTo(new Exceeded.Delay(600_000_000));
  }

  @Test
  void aDelayMayBeAsLongAsAPeriod() {
    Limit limit = read("sluice.limit.reply.exceeded=delay", "sluice.limit.reply.delay.max=3660d");

    assertThat(limit.rule().patienceMicros()).isEqualTo(3660L * 86_400 * 1_000_000);
  }

  @Test
  void aRetryIsReadCompletely() {
    Limit limit =
        read(
            "sluice.limit.reply.exceeded=retry",
            "sluice.limit.reply.retry.attempts=7",
            "sluice.limit.reply.retry.jitter=0.25");

    assertThat(limit.exceeded()).isEqualTo(new Exceeded.Retry(7, 0.25));
    assertThat(limit.rule().patienceMicros()).isZero();
  }

  @Test
  void aRetryHasDefaults() {
    assertThat(read("sluice.limit.reply.exceeded=retry").exceeded())
        .isEqualTo(new Exceeded.Retry(5, 0.1));
  }

  @Test
  void hoursAreReadWithTheirZone() {
    Limit limit =
        read("sluice.limit.reply.open=mon-fri 08:00-20:00", "sluice.limit.reply.zone=+02:00");

    assertThat(limit.hours()).hasToString("mon-fri 08:00-20:00 (+02:00)");
    assertThat(limit.rule().zone()).isEqualTo(ZoneOffset.UTC);
    assertThat(read().hours()).isEqualTo(LimitHours.ALWAYS);
    assertThat(read("sluice.limit.reply.open=mon-sun 00:00-24:00").hours())
        .isEqualTo(LimitHours.ALWAYS);
  }

  @Test
  void hoursAreInTheZoneOfTheCalendar() {
    Limit limit =
        read(
            "sluice.limit.reply.quota=5/day",
            "sluice.limit.reply.open=mon-fri 08:00-20:00",
            "sluice.limit.reply.zone=Europe/Berlin");

    assertThat(limit.hours()).hasToString("mon-fri 08:00-20:00 (Europe/Berlin)");
    assertThat(limit.rule().zone()).hasToString("Europe/Berlin");
  }

  @Test
  void theFieldOfTheZoneIsAFieldOfTheLimit() {
    Limit limit =
        read(
            "sluice.limit.reply.open=mon 08:00-20:00", "sluice.limit.reply.zone=attributes.tz,UTC");

    assertThat(limit.fields()).contains(Field.parse("attributes.tz"));
  }

  private static Limit read(String... lines) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("sluice.limit.reply.quota", "5/60s");
    for (String line : lines) texts.put(line.split("=", 2)[0], line.split("=", 2)[1]);
    RawSettings settings = new RawSettings(texts, new ConfigErrors(texts.keySet()));
    return new LimitParser("reply", settings.forLimit("reply")).read();
  }
}
