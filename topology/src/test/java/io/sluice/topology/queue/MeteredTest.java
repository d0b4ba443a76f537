package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.Outcome;
import io.sluice.rules.limit.Limit;
import io.sluice.topology.TestEvent;
import io.sluice.topology.config.ConfigText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the instant at which an admitted event leaves. */
class MeteredTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  private static HeadMeter.Metered judgedAt(String exceeded, long micros) {
    List<Limit> limits =
        ConfigText.config("sluice.limit.reply.exceeded=" + exceeded).limits().all();
    Judgement judged = new Judgement(micros, new Decision.Conforming(1, 0));
    Outcome outcome = new Outcome(Outcome.Kind.ADMITTED, 0, List.of(judged));
    return new HeadMeter.Metered(
        limits, Limit.buckets(limits, TestEvent.event("ann", "reply", "")), outcome);
  }

  @Test
  void anEventLeavesNowIfItsBucketIsNotAhead() {
    assertThat(judgedAt("queue", (NOW_MS - 100) * 1_000).leavesAtMs(NOW_MS)).isEqualTo(NOW_MS);
  }

  @Test
  void anEventLeavesAtTheClockOfABucketThatAnotherInstanceHasMovedOn() {
    assertThat(judgedAt("queue", NOW_MS * 1_000 + 89_001).leavesAtMs(NOW_MS))
        .isEqualTo(NOW_MS + 90);
  }

  @Test
  void theClockOfALimitWithoutAQueueDoesNotMatter() {
    assertThat(judgedAt("reject", NOW_MS * 1_000 + 89_001).leavesAtMs(NOW_MS)).isEqualTo(NOW_MS);
  }
}
