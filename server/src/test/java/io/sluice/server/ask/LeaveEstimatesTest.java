package io.sluice.server.ask;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.queue.WaitingList.Waiting;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LeaveEstimatesTest {
  private static final long NOON_MS = Instant.parse("2026-11-28T12:00:00Z").toEpochMilli();
  private static final long NIGHT_MS = Instant.parse("2026-11-28T22:00:00Z").toEpochMilli();
  private static final long OPENS_MS = Instant.parse("2026-11-29T08:00:00Z").toEpochMilli();
  private static final long MINUTE_MS = 60_000;
  private static final Optional<Event> ADA =
      Optional.of(new LimitKey(List.of(Field.USER_ID)).event(List.of("ada")));

  /** Estimates for an event behind two others of its line, and three others at the limit phone. */
  private static long estimate(long nowMs, Optional<Event> event, String... revisions)
      throws Exception {
    SluiceConfig config =
        SluiceConfig.of(
            SettingLines.kafka(
                "sluice.limits=phone,day",
                "sluice.limit.phone.quota=1/60s",
                "sluice.limit.phone.exceeded=queue",
                "sluice.limit.day.quota=10/60s",
                "sluice.limit.day.open=mon-sun 08:00-20:00",
                "sluice.limit.day.exceeded=queue"));
    LimitsInForce limits = LimitsInForce.of(config.limitsConfig());
    for (String each : revisions)
      limits = limits.with(new RevisionReader().ofLine(each.replace('\'', '"'), 1));
    Waiting waiting =
        new Waiting(event, 0, nowMs, 3, Map.of("phone", 3, "day", 0), OptionalLong.empty());
    return new LeaveEstimates(limits, nowMs).ms(waiting);
  }

  private static String pause(String limit, String until) {
    return "{'id':'p-%s','limit':'%s','for':{'userId':'ada'},'set':{'verdict':'pause'},"
            .formatted(limit, limit)
        + "'effectiveAt':1,'by':'ops'"
        + until
        + "}";
  }

  @Test
  void anEventLeavesAfterThoseBeforeIt() throws Exception {
    assertThat(estimate(NOON_MS, ADA)).isEqualTo(NOON_MS + 5 * MINUTE_MS);
  }

  @Test
  void aClosedLimitHoldsTheEventUntilItOpens() throws Exception {
    assertThat(estimate(NIGHT_MS, ADA)).isEqualTo(OPENS_MS + 12_000);
  }

  @Test
  void aPausedLimitHoldsTheEventUntilItsEnd() throws Exception {
    String until = ",'until':" + (NOON_MS + 10 * MINUTE_MS);
    assertThat(estimate(NOON_MS, ADA, pause("phone", until))).isEqualTo(NOON_MS + 15 * MINUTE_MS);
    String atNight = ",'until':" + NIGHT_MS;
    assertThat(estimate(NOON_MS, ADA, pause("day", atNight))).isEqualTo(OPENS_MS + 12_000);
  }

  @Test
  void noTimeIsKnownForAPauseWithoutAnEndAndForAnUnreadableEvent() throws Exception {
    assertThat(estimate(NOON_MS, ADA, pause("day", ""))).isEqualTo(LeaveEstimates.UNKNOWN);
    assertThat(estimate(NOON_MS, Optional.empty())).isEqualTo(LeaveEstimates.UNKNOWN);
  }
}
