package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of limits that count whole calendar periods. */
class CalendarLimitsTest {
  private static final long HOUR_MS = 3_600_000;

  private Harness harness = with();

  /** Two calls a day in Berlin. Noon in UTC is 14:00 there, so the day ends in ten hours. */
  private static Harness with(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "sluice.time.max.ahead=90d",
                "sluice.time.lateness=90d",
                "sluice.limits=api",
                "sluice.limit.api.quota=2/day",
                "sluice.limit.api.zone=Europe/Berlin"));
    settings.addAll(List.of(more));
    return new Harness(settings.toArray(String[]::new));
  }

  private void restartWith(String... more) {
    harness.close();
    harness = with(more);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private void call(long... afterNoonMs) {
    for (long at : afterNoonMs) harness.send("ada", "call", at);
  }

  @Test
  void aDayBeginsAtMidnightOfTheZone() {
    call(0, 1, 2, 10 * HOUR_MS - 1, 10 * HOUR_MS, 34 * HOUR_MS - 1, 34 * HOUR_MS);

    assertThat(harness.allowed())
        .extracting(out -> out.header("sluice-reset-after-ms"))
        .containsExactly("36000000", "35999999", "86400000", "1", "86400000");
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("35999998", "1");
  }

  @Test
  void withoutAZoneItIsMidnightInUtc() {
    restartWith("sluice.limit.api.zone=UTC");
    call(0, 1, 12 * HOUR_MS - 1, 12 * HOUR_MS);

    assertThat(harness.rejected()).hasSize(1);
    assertThat(harness.allowed()).hasSize(3);
  }

  @Test
  void whoIsToWaitLeavesWhenTheNextPeriodBegins() {
    restartWith("sluice.limit.api.exceeded=delay", "sluice.limit.api.delay.max=2d");
    call(0, 0, 0, 0, 0);

    assertThat(harness.delayed())
        .extracting(out -> Long.parseLong(out.header("sluice-release-at-ms")) - Harness.NOON_MS)
        .containsExactly(10 * HOUR_MS, 10 * HOUR_MS, 34 * HOUR_MS);
  }

  @Test
  void otherPermitsLeaveWhatIsUsed() {
    call(0, 0, 0);
    harness.revise("more", 1, "'limit':'api','set':{'quota':'3/day'}");
    call(1, 1);

    assertThat(harness.allowed()).hasSize(3);
  }

  @Test
  void anotherUnitBeginsAnew() {
    call(0, 0);
    harness.revise("month", 1, "'limit':'api','set':{'quota':'2/month'}");
    call(1, 1, 1, 11 * HOUR_MS);

    assertThat(harness.allowed()).hasSize(4);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .first()
        .isEqualTo("" + ((29 * 24 + 10) * HOUR_MS - 1));
  }

  @Test
  void anotherZoneBeginsAnew() {
    call(0, 0);
    harness.revise("tokyo", 1, "'limit':'api','set':{'zone':'Asia/Tokyo'}");
    call(1, 1, 3 * HOUR_MS - 1, 3 * HOUR_MS);

    assertThat(harness.allowed()).hasSize(5);
    assertThat(harness.rejected()).hasSize(1);
  }

  @Test
  void fromAFunnelToACalendarAndBack() {
    harness.close();
    harness = new Harness("sluice.limits=post", "sluice.limit.post.quota=2/60s");
    harness.revise("day", 10, "'limit':'post','set':{'quota':'3/day','zone':'Asia/Tokyo'}");
    harness.revise("back", 20, "'limit':'post','set':{'quota':null,'zone':null}");
    call(0, 0, 0, 10, 10, 10, 10, 20, 20, 20, 15);

    assertThat(harness.allowed()).hasSize(7);
    assertThat(harness.rejected())
        .extracting(out -> out.header("sluice-retry-after-ms"))
        .containsExactly("30000", "" + (3 * HOUR_MS - 10), "30000", "" + (3 * HOUR_MS - 15));
  }
}
