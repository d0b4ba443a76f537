package io.sluice.topology.config;

import static io.sluice.topology.config.ConfigText.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.settings.LimitWords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigSummaryTest {
  @Test
  void aLimitIsSaidInOneLine() {
    assertThat(
            lastLine(
                "sluice.redis.uri=redis://localhost",
                "sluice.limit.reply.match.action=reply",
                "sluice.limit.reply.algorithm=sliding-window-log",
                "sluice.limit.reply.backend=redis",
                "sluice.limit.reply.redis.unavailable=allow"))
        .isEqualTo(
            "reply  action=reply  at most 5 in any 60 s per userId  sliding-window-log on redis "
                + " if exceeded: reject  if Redis is down: allow");
    assertThat(
            lastLine(
                "sluice.redis.uri=redis://localhost",
                "sluice.limit.reply.key=",
                "sluice.limit.reply.algorithm=sliding-window-counter",
                "sluice.limit.reply.backend=redis",
                "sluice.limit.reply.count=attempts"))
        .isEqualTo(
            "reply  every event  about 5 in any 60 s over all events  sliding-window-counter on"
                + " redis  if exceeded: reject, and count the attempt  if Redis is down: wait");
    assertThat(lastLine("sluice.limit.reply.mode=shadow", "sluice.limit.reply.key=userId,action"))
        .isEqualTo(
            "reply  every event  5 in 60 s, burst 5, per userId and action  funnel on the state"
                + " store  if exceeded: only report");
  }

  @Test
  void theOutputsOfEachInputAreSaid() {
    assertThat(
            ConfigReport.summary(
                config(
                    "sluice.topics.input=sms,replies",
                    "sluice.topics.allowed={input}-allowed",
                    "sluice.event.action=")))
        .contains(
            "reads           sms, replies\n",
            "allowed         to sms-allowed, replies-allowed\n",
            "rejected        to rejected-actions\n",
            "fields          action: the topic's name\n");
  }

  @Test
  void theTreatmentOfRecordsThatAreNotEventsIsToldUnlessItIsTheDefault() {
    assertThat(ConfigReport.summary(config())).doesNotContain("tombstones", "no user");
    assertThat(ConfigReport.summary(config("sluice.tombstones=allow", "sluice.event.missing=drop")))
        .contains(
            "tombstones         unmetered to allowed-actions\n", "no user or action  dropped\n");
  }

  @Test
  void whatALimitMatchesAndLeavesToOthersIsSaid() {
    assertThat(
            lastLine(
                "sluice.limits=vip,staff,reply",
                "sluice.limit.vip.quota=1/1s",
                "sluice.limit.staff.quota=1/1s",
                "sluice.limit.reply.match.action=!read, list-*,\\!a",
                "sluice.limit.reply.match.target=*",
                "sluice.limit.reply.unless=vip, staff"))
        .startsWith("reply  action=!read,\\!a,list-* and target=* unless vip,staff  5 in 60 s");
  }

  @Test
  void theMemoryOfFiltersIsSaid() {
    assertThat(
            lastLine(
                "sluice.limit.reply.key=userId,target",
                "sluice.limit.reply.quota=1/30d",
                "sluice.limit.reply.algorithm=bloom",
                "sluice.limit.reply.bloom.capacity=10_000_000"))
        .isEqualTo(
            "reply  every event  once in any 30 d per userId and target (events without target are"
                + " not limited by it)  bloom on the state store, 10,000,000 keys in about 35 MiB  if exceeded:"
                + " reject");
  }

  @Test
  void distinctThingsAreNamed() {
    assertThat(
            lastLine(
                "sluice.limit.reply.distinct=target,attributes.card",
                "sluice.limit.reply.algorithm=sliding-window-log"))
        .isEqualTo(
            "reply  every event  at most 5 different target and attributes.card in any 60 s per"
                + " userId (events without target or attributes.card are not limited by it)"
                + "  sliding-window-log on the state store  if exceeded: reject");
  }

  @Test
  void aPeriodOfTheCalendarIsSaidWithItsZone() {
    assertThat(
            lastLine("sluice.limit.reply.quota=1000/day", "sluice.limit.reply.zone=Europe/Berlin"))
        .isEqualTo(
            "reply  every event  at most 1000 a day (Europe/Berlin) per userId  calendar-window on"
                + " the state store  if exceeded: reject");
    assertThat(lastLine("sluice.limit.reply.quota=9/hour"))
        .contains("  at most 9 an hour (UTC) per userId  ");
  }

  @Test
  void openingHoursAreShownWithTheirZone() {
    assertThat(
            lastLine(
                "sluice.limit.reply.open=mon-fri 08:00-20:00", "sluice.limit.reply.zone=+02:00"))
        .contains(" per userId, open mon-fri 08:00-20:00 (+02:00)  funnel on ");
    assertThat(
            lastLine(
                "sluice.limit.reply.open=fri 22:00-02:00",
                "sluice.limit.reply.zone=attributes.tz,UTC"))
        .contains(", open fri 22:00-02:00 (zone of attributes.tz, else UTC)  ");
  }

  @Test
  void whoeverIsBlockedIsSaid() {
    assertThat(lastLine("sluice.limit.reply.block=10m"))
        .endsWith("if exceeded: reject, and block the key for 10 min");
    assertThat(lastLine("sluice.limit.reply.block=10m", "sluice.limit.reply.mode=shadow"))
        .endsWith("if exceeded: only report, as if blocking the key for 10 min");
    assertThat(
            lastLine(
                "sluice.limit.reply.block=10m",
                "sluice.limit.reply.algorithm=sliding-window-log",
                "sluice.limit.reply.count=attempts"))
        .endsWith("if exceeded: reject, and count the attempt, and block the key for 10 min");
    assertThat(lastLine("sluice.limit.reply.block=")).endsWith("if exceeded: reject");
    assertThat(lastLine("sluice.limit.reply.block=", "sluice.limit.reply.exceeded=delay"))
        .endsWith("if exceeded: delay up to 10 min, else reject");
  }

  @Test
  void whetherLimitsAreLiveIsSaid() {
    assertThat(ConfigReport.summary(config("application.id=a")))
        .containsPattern("(?m)^live limits +revisions from a-limits$");
    assertThat(ConfigReport.summary(config("sluice.topics.limits=rules")))
        .containsPattern("(?m)^live limits +revisions from rules$");
    assertThat(
            ConfigReport.summary(
                config("sluice.limits.live=false", "sluice.topics.limits=user-actions")))
        .containsPattern("(?m)^live limits +off$");
    assertThat(config("sluice.topics.limits=rules").simulated().topics().hasLimits()).isFalse();
  }

  @Test
  void whereMetricsAreServedIsSaidIfTheyAre() {
    assertThat(ConfigReport.summary(config())).doesNotContain("metrics");
    String token = "sluice.http.token=a-token-of-some-length";
    String read = "sluice.http.token.read=another-token-that-reads";
    assertThat(ConfigReport.summary(config("sluice.http.port=9464", token, read)))
        .contains("on 127.0.0.1:9464, with a token, and one that only reads\n")
        .doesNotContain("of-some-length", "that-reads");
    assertThat(ConfigReport.summary(config("sluice.http.port=9464")))
        .containsPattern("(?m)^metrics +on 127.0.0.1:9464$");
    assertThat(ConfigReport.summary(config("sluice.http.port=0", "sluice.http.host=::1")))
        .containsPattern("(?m)^metrics +on a free port of ::1$");
  }

  @ParameterizedTest
  @CsvSource({
    "500, 500 ms",
    "1500, 1500 ms",
    "60000, 60 s",
    "90000, 90 s",
    "120000, 2 min",
    "3600000, 1 h",
    "5400000, 90 min",
    "86400000, 1 d"
  })
  void periodsAreSaidInTheLargestUnitThatLeavesNoFraction(long millis, String words) {
    assertThat(LimitWords.period(millis)).isEqualTo(words);
  }

  private static String lastLine(String... lines) {
    return ConfigReport.summary(config(lines))
        .lines()
        .reduce((first, second) -> second)
        .orElseThrow();
  }
}
