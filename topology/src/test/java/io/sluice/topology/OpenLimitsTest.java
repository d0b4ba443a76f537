package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Harness.Out;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of limits with opening hours. */
class OpenLimitsTest {
  private static final long HOUR_MS = 3_600_000;

  /** The limit is open until 16:00 in Berlin, two hours after noon in UTC, a Monday in summer. */
  private static final long CLOSES_MS = 2 * HOUR_MS;

  /** It opens on Tuesday at 08:00. */
  private static final long OPENS_MS = 18 * HOUR_MS;

  private Harness harness;

  private void start(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "sluice.time.max.ahead=90d",
                "sluice.time.lateness=90d",
                "sluice.limits=sms",
                "sluice.limit.sms.match.action=sms",
                "sluice.limit.sms.quota=2/60s",
                "sluice.limit.sms.algorithm=sliding-window-log",
                "sluice.limit.sms.open=mon-fri 08:00-16:00",
                "sluice.limit.sms.zone=Europe/Berlin"));
    settings.addAll(List.of(more));
    harness = new Harness(settings.toArray(String[]::new));
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private void sms(long... afterNoonMs) {
    for (long at : afterNoonMs) harness.send("ada", "sms", at);
  }

  private void runTo(long afterNoonMs) {
    // Only ticks around an instant matter, and a night has half a million of them.
    harness.advanceWall(Duration.ofMillis(afterNoonMs - wallMs() - 1));
    harness.advanceWall(Duration.ofMillis(1));
  }

  private long wallMs() {
    return harness.wallMs.get() - Harness.NOON_MS;
  }

  private static List<Long> releases(List<Out> delayed) {
    return delayed.stream()
        .map(out -> Long.parseLong(out.header("sluice-release-at-ms")) - Harness.NOON_MS)
        .toList();
  }

  @Test
  void aClosedLimitRejectsUntilItOpensAndDoesNotCount() {
    start();
    sms(CLOSES_MS - 2, CLOSES_MS - 1, CLOSES_MS, CLOSES_MS + 1, OPENS_MS - 1, OPENS_MS, OPENS_MS);

    assertThat(harness.allowed())
        .extracting(out -> out.header("sluice-remaining"))
        .containsExactly("1", "0", "1", "0");
    assertThat(harness.rejected())
        .allSatisfy(out -> assertThat(out.header("sluice-limit")).isEqualTo("sms"))
        .allSatisfy(out -> assertThat(out.header("sluice-reason")).isEqualTo("over-limit"))
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("" + (OPENS_MS - CLOSES_MS), "" + (OPENS_MS - CLOSES_MS - 1), "1");
  }

  @Test
  void anAttemptAtAClosedLimitIsNotCounted() {
    start("sluice.limit.sms.count=attempts");
    sms(OPENS_MS - 2, OPENS_MS - 1, OPENS_MS, OPENS_MS);

    assertThat(harness.allowed()).hasSize(2);
  }

  @Test
  void aClosedLimitBeginsNoBlock() {
    start("sluice.limit.sms.block=10m");
    sms(OPENS_MS - 1, OPENS_MS);

    assertThat(harness.allowed()).hasSize(1);
  }

  @Test
  void noOtherLimitOfTheEventIsCharged() {
    start("sluice.limits=all,sms", "sluice.limit.all.quota=1/60m");
    sms(CLOSES_MS, CLOSES_MS);
    harness.send("ada", "post", CLOSES_MS);
    harness.send("ada", "post", CLOSES_MS);

    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-limit"))
        .containsExactly("sms", "sms", "all");
    assertThat(harness.allowed()).hasSize(1);
  }

  @Test
  void urgentEventsPassByUnless() {
    start(
        "sluice.limits=urgent,sms",
        "sluice.limit.urgent.match.attributes.priority=urgent",
        "sluice.limit.urgent.quota=9/60s",
        "sluice.limit.sms.unless=urgent");
    harness.send("ada", "sms", CLOSES_MS, "\"attributes\":{\"priority\":\"urgent\"}");
    harness.send("ada", "sms", CLOSES_MS, "\"attributes\":{\"priority\":\"low\"}");

    assertThat(harness.allowed()).hasSize(1);
    assertThat(harness.rejected()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "America/New_York, 10",
    "+01:00,           11",
    "Mars,              0",
    "'',                0",
  })
  void theZoneIsThatOfTheEventOrTheDefault(String zone, long hours) {
    start("sluice.limit.sms.zone=attributes.tz,Europe/Berlin");
    // 06:30 in UTC, 08:30 in Berlin.
    long atMs = OPENS_MS + HOUR_MS / 2;
    harness.send("ada", "sms", atMs, "\"attributes\":{\"tz\":\"" + zone + "\"}");

    if (hours == 0) {
      assertThat(harness.allowed()).hasSize(1);
    } else {
      long opensAtMs = zone.startsWith("+") ? 19 * HOUR_MS : 24 * HOUR_MS;
      assertThat(harness.rejected())
          .extracting(out -> out.header("sluice-retry-after-ms"))
          .containsExactly("" + (opensAtMs - atMs));
    }
  }

  @Test
  void theRetryAfterIsTheFirstInstantAtWhichAllLimitsAreOpen() {
    start(
        "sluice.limits=sms,day",
        "sluice.limit.day.quota=9/60s",
        "sluice.limit.day.open=tue 15:00-17:00, thu 07:00-09:00",
        "sluice.limit.day.zone=Europe/Berlin");
    sms(CLOSES_MS, 25 * HOUR_MS, 26 * HOUR_MS);

    assertThat(harness.allowed()).hasSize(1); // on Tuesday at 15:00
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("" + 23 * HOUR_MS, "" + 40 * HOUR_MS); // until Thursday at 08:00
  }

  @Test
  void aDelayedEventWaitsForTheOpeningAndThenForItsSlot() {
    start(
        "sluice.limit.sms.quota=1/1s",
        "sluice.limit.sms.algorithm=funnel",
        "sluice.limit.sms.exceeded=delay",
        "sluice.limit.sms.delay.max=1d");
    runTo(CLOSES_MS);
    sms(CLOSES_MS, CLOSES_MS, CLOSES_MS);

    assertThat(releases(harness.delayed())).containsExactly(OPENS_MS, OPENS_MS, OPENS_MS);
    runTo(OPENS_MS - 1);
    assertThat(harness.allowed()).isEmpty();
    runTo(OPENS_MS);
    assertThat(harness.allowed()).hasSize(1);
    assertThat(releases(harness.delayed())).containsExactly(OPENS_MS + 1_000, OPENS_MS + 2_000);
    harness.runTo(OPENS_MS + 999);
    assertThat(harness.allowed()).isEmpty();
    harness.runTo(OPENS_MS + 2_000);
    assertThat(harness.allowed())
        .extracting(out -> out.header("sluice-attempt"))
        .containsExactly("2", "2");
    assertThat(harness.rejected()).isEmpty();
  }

  @Test
  void noSlotIsAtATimeAtWhichALimitIsClosed() {
    start(
        "sluice.limit.sms.quota=1/60m",
        "sluice.limit.sms.algorithm=funnel",
        "sluice.limit.sms.exceeded=delay",
        "sluice.limit.sms.delay.max=1d");
    runTo(1);
    // The third slot would be one millisecond before the closing, the fourth an hour later.
    sms(0, 0, 0, 0);

    assertThat(harness.allowed()).hasSize(1);
    assertThat(releases(harness.delayed())).containsExactly(HOUR_MS, OPENS_MS, OPENS_MS);
    runTo(HOUR_MS);
    runTo(OPENS_MS);
    assertThat(harness.allowed()).hasSize(2);
    assertThat(releases(harness.delayed())).containsExactly(OPENS_MS + HOUR_MS);
  }

  @Test
  void anotherLimitDoesNotDelayAnEventPastTheClosing() {
    start(
        "sluice.limits=sms,slow",
        "sluice.limit.slow.quota=1/5h",
        "sluice.limit.slow.exceeded=delay",
        "sluice.limit.slow.delay.max=1d");
    runTo(1);
    sms(1, 1);

    assertThat(harness.allowed()).hasSize(1);
    assertThat(releases(harness.delayed())).containsExactly(OPENS_MS);
    runTo(OPENS_MS);
    assertThat(harness.allowed()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"16h, delayed", "15h, rejected"})
  void anEventDoesNotWaitLongerThanDelayMaxForTheOpening(String most, String verdict) {
    start("sluice.limit.sms.exceeded=delay", "sluice.limit.sms.delay.max=" + most);
    sms(CLOSES_MS);

    List<Out> outs = verdict.equals("delayed") ? harness.delayed() : harness.rejected();
    assertThat(outs)
        .singleElement()
        .satisfies(
            out ->
                assertThat(out.header("sluice-retry-after-ms"))
                    .isEqualTo("" + (OPENS_MS - CLOSES_MS)))
        .satisfies(
            out ->
                assertThat(out.header("sluice-reason"))
                    .isEqualTo(verdict.equals("delayed") ? "" : "delay-too-long"));
  }

  @Test
  void anEventThatFindsNoSlotDoesNotWaitLongerThanDelayMaxForTheReopening() {
    start(
        "sluice.limit.sms.quota=1/3h",
        "sluice.limit.sms.exceeded=delay",
        "sluice.limit.sms.delay.max=4h");
    sms(0, 0);

    assertThat(harness.rejected())
        .singleElement()
        .satisfies(out -> assertThat(out.header("sluice-reason")).isEqualTo("delay-too-long"))
        .satisfies(out -> assertThat(out.header("sluice-retry-after-ms")).isEqualTo("" + OPENS_MS));
  }

  @Test
  void aRetryComesWhenTheLimitOpens() {
    start(
        "sluice.limit.sms.exceeded=retry",
        "sluice.limit.sms.retry.attempts=2",
        "sluice.limit.sms.retry.jitter=0");
    runTo(CLOSES_MS);
    sms(CLOSES_MS);

    assertThat(releases(harness.delayed())).containsExactly(OPENS_MS);
    runTo(OPENS_MS);
    assertThat(harness.allowed()).hasSize(1);
  }

  @Test
  void aClosedLimitThatRejectsDecidesBeforeOneThatDelays() {
    start(
        "sluice.limits=sms,later",
        "sluice.limit.later.quota=9/60s",
        "sluice.limit.later.open=tue 10:00-12:00",
        "sluice.limit.later.exceeded=delay",
        "sluice.limit.later.delay.max=9d");
    sms(CLOSES_MS);

    assertThat(harness.rejected())
        .singleElement()
        .satisfies(out -> assertThat(out.header("sluice-limit")).isEqualTo("sms"));
  }

  @Test
  void aClosedLimitInShadowModeOnlyReports() {
    start("sluice.limit.sms.mode=shadow");
    sms(CLOSES_MS, OPENS_MS);

    assertThat(harness.allowed())
        .extracting(out -> out.header("sluice-shadow"))
        .satisfiesExactly(
            closed ->
                assertThat(closed)
                    .contains("limit=sms", "verdict=rejected", "retry-after-ms=57600000"),
            open -> assertThat(open).contains("verdict=allowed").contains("remaining=1"));
  }

  @Test
  void byTheWallClockHoursAreThoseOfTheWallClock() {
    start("sluice.time=wall");
    runTo(CLOSES_MS - 1);
    sms(OPENS_MS);
    runTo(CLOSES_MS);
    sms(OPENS_MS);

    assertThat(harness.allowed()).hasSize(1);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("" + (OPENS_MS - CLOSES_MS));
  }

  @Test
  void aRevisionChangesTheHoursAndNotTheCounts() {
    start();
    harness.revise("late", 10, "'limit':'sms','set':{'open':'mon-fri 08:00-18:00'}");
    harness.revise("vip", 20, "'limit':'sms','for':{'userId':'ada'},'set':{'quota':'3/60s'}");
    sms(0, 0, 5, 30, 31, CLOSES_MS, CLOSES_MS + 2 * HOUR_MS);

    assertThat(harness.allowed()).hasSize(4);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("59995", "59969", "" + 14 * HOUR_MS);
  }
}
