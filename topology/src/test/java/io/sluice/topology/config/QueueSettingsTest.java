package io.sluice.topology.config;

import static io.sluice.topology.config.ConfigText.config;
import static io.sluice.topology.config.ConfigText.mistakes;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.SettingLines;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of mistakes and warnings about limits with {@code exceeded=queue}. */
class QueueSettingsTest {
  private static final String QUEUE = "sluice.limit.reply.exceeded=queue";
  private static final String CONFLICT =
      ", and no event can both wait in line and be delayed or retried; accepted are exceeded=reject"
          + " and queue on all limits of such an event, or matches that exclude each other";

  /** Lines of a second limit, {@code post}, with these settings; reply has a queue. */
  private static String[] withPost(String... lines) {
    String[] both = {QUEUE, "sluice.limits=reply,post", "sluice.limit.post.quota=5/60s"};
    return SettingLines.with(both, lines);
  }

  @Test
  void allSettingsThatAQueueCannotHaveAreReportedAtOnce() {
    assertThat(
            mistakes(
                QUEUE,
                "sluice.limit.reply.count=attempts",
                "sluice.limit.reply.algorithm=sliding-window-log",
                "sluice.limit.reply.block=10m",
                "sluice.limit.reply.delay.max=1h",
                "sluice.limit.reply.retry.attempts=3"))
        .containsExactlyInAnyOrder(
            "sluice.limit.reply.count=attempts: attempts can only be counted with exceeded=reject,"
                + " not with queue",
            "sluice.limit.reply.block=10m: only applies with exceeded=reject",
            "sluice.limit.reply.delay.max=1h: only applies with exceeded=delay",
            "sluice.limit.reply.retry.attempts=3: only applies with exceeded=retry");
  }

  @Test
  void aQueueCountsEventsAndNoValues() {
    assertThat(
            mistakes(
                QUEUE,
                "sluice.limit.reply.distinct=target",
                "sluice.limit.reply.algorithm=sliding-window-log"))
        .containsExactly(
            "sluice.limit.reply.exceeded=queue: distinct things can only be counted with"
                + " exceeded=reject, not with queue");
    assertThat(
            mistakes(
                QUEUE,
                "sluice.limit.reply.distinct=target",
                "sluice.limit.reply.algorithm=hyperloglog"))
        .containsExactly(
            "sluice.limit.reply.exceeded=queue: distinct things can only be counted with"
                + " exceeded=reject, not with queue");
    assertThat(
            mistakes(
                QUEUE,
                "sluice.limit.reply.quota=1/30d",
                "sluice.limit.reply.algorithm=bloom",
                "sluice.limit.reply.bloom.capacity=1000"))
        .containsExactly(
            "sluice.limit.reply.exceeded=queue: with algorithm=bloom only exceeded=reject, not"
                + " queue");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"funnel", "sliding-window-log", "sliding-window-counter", "calendar-window"})
  void otherAlgorithmsMayHaveAQueue(String algorithm) {
    String quota = algorithm.equals("calendar-window") ? "100/day" : "5/60s";
    String[] lines = {
      QUEUE, "sluice.limit.reply.quota=" + quota, "sluice.limit.reply.algorithm=" + algorithm
    };

    assertThat(config(lines).limits().queues()).isTrue();
  }

  @Test
  void boundsOfALineAreChecked() {
    assertThat(
            mistakes(
                QUEUE,
                "sluice.limit.reply.queue.max.wait=0s",
                "sluice.limit.reply.queue.max.length=0"))
        .containsExactlyInAnyOrder(
            "sluice.limit.reply.queue.max.wait=0s: a period is 1ms to 3660d here",
            "sluice.limit.reply.queue.max.length=0: a whole number, 1 to 1000000");
    assertThat(
            mistakes(
                "sluice.limit.reply.queue.max.wait=1h", "sluice.limit.reply.queue.max.length=5"))
        .containsExactlyInAnyOrder(
            "sluice.limit.reply.queue.max.wait=1h: only applies with exceeded=queue",
            "sluice.limit.reply.queue.max.length=5: only applies with exceeded=queue");
  }

  @ParameterizedTest
  @ValueSource(strings = {"delay", "retry"})
  void noLimitMayDelayOrRetryWhatWaitsInLine(String exceeded) {
    assertThat(mistakes(withPost("sluice.limit.post.exceeded=" + exceeded)))
        .containsExactly(
            "sluice.limit.post.exceeded="
                + exceeded
                + ": an event can also match reply (exceeded=queue)"
                + CONFLICT);
    assertThat(
            mistakes(
                withPost(
                    "sluice.limits=reply,post,page",
                    "sluice.limit.page.quota=1/1s",
                    "sluice.limit.page.exceeded=queue",
                    "sluice.limit.post.match.action=post",
                    "sluice.limit.page.match.action=p*",
                    "sluice.limit.reply.match.action=reply",
                    "sluice.limit.post.exceeded=" + exceeded)))
        .containsExactly(
            "sluice.limit.post.exceeded="
                + exceeded
                + ": an event can also match page (exceeded=queue)"
                + CONFLICT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sluice.limit.post.exceeded=reject; sluice.limit.post.burst=2",
        "sluice.limit.post.exceeded=queue; sluice.limit.post.burst=2",
        "sluice.limit.post.exceeded=delay; sluice.limit.post.mode=shadow",
        "sluice.limit.post.exceeded=retry; sluice.limit.reply.mode=shadow",
        "sluice.limit.post.exceeded=delay; sluice.limit.post.unless=reply",
        "sluice.limit.post.exceeded=delay; sluice.limit.reply.unless=post",
      })
  void limitsThatNoEventWaitsForTwiceGoTogether(String one, String other) {
    assertThat(config(withPost(one, other)).limits().all()).hasSize(2);
  }

  @Test
  void limitsThatMatchDifferentEventsGoTogether() {
    String[] lines =
        withPost(
            "sluice.limit.reply.match.action=reply",
            "sluice.limit.post.match.action=!reply",
            "sluice.limit.post.exceeded=delay");

    assertThat(config(lines).limits().all()).hasSize(2);
  }

  @Test
  void aLimitInShadowModeTakesNothingOverFromADelay() {
    assertThat(
            mistakes(
                withPost(
                    "sluice.limits=reply,post,vip",
                    "sluice.limit.vip.quota=1/1s",
                    "sluice.limit.vip.mode=shadow",
                    "sluice.limit.post.unless=vip",
                    "sluice.limit.post.exceeded=delay")))
        .hasSize(1);
  }

  @Test
  void twoDelaysByDifferentKeysAreWarnedOf() {
    String[] lines = {
      "sluice.limits=reply,post",
      "sluice.limit.reply.exceeded=delay",
      "sluice.limit.post.quota=20/1s",
      "sluice.limit.post.key=userId,action",
      "sluice.limit.post.exceeded=delay"
    };

    assertThat(warnings(lines))
        .containsExactly(
            "sluice.limit.post.exceeded=delay: an event can also match reply (userId), which delays"
                + " by another key; an event reserves the first instant that suits both limits, and"
                + " no later event leaves before it, so many events of one key delay the events of"
                + " all other keys; exceeded=queue on these limits lets only the one key wait");
    for (String other :
        List.of(
            "sluice.limit.post.key=userId",
            "sluice.limit.post.mode=shadow",
            "sluice.limit.post.exceeded=retry",
            "sluice.limit.post.unless=reply")) {
      assertThat(warnings(SettingLines.with(lines, other))).as(other).isEmpty();
    }
    assertThat(
            warnings(
                SettingLines.with(
                    lines,
                    "sluice.limit.reply.match.action=reply",
                    "sluice.limit.post.match.action=post")))
        .isEmpty();
  }

  @Test
  void aCountThatTwoClocksJudgeIsWarnedOf() {
    String[] lines = withPost("sluice.limit.reply.match.action=reply,ask");
    String warning =
        "sluice.limit.post.match: an event that also matches reply waits in line and is metered by"
            + " the wall clock, other events by their own times, so a late event may find the count"
            + " ahead of it; set sluice.time=wall, or let the limit match only events that wait in"
            + " line";

    assertThat(warnings(lines)).containsExactly(warning);
    assertThat(warnings(SettingLines.with(lines, "sluice.limit.post.match.action=*")))
        .containsExactly(warning);
    for (String other :
        List.of(
            "sluice.time=wall",
            "sluice.limit.post.mode=shadow",
            "sluice.limit.post.match.action=reply",
            "sluice.limit.post.match.action=page",
            "sluice.limit.post.exceeded=queue",
            "sluice.limit.post.unless=reply",
            "sluice.limit.reply.exceeded=reject")) {
      assertThat(warnings(SettingLines.with(lines, other))).as(other).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"allow", "reject", "state-store"})
  void aQueueAlwaysWaitsForRedis(String unavailable) {
    String[] lines = {
      QUEUE,
      "sluice.redis.uri=redis://localhost",
      "sluice.limit.reply.backend=redis",
      "sluice.limit.reply.redis.unavailable=" + unavailable
    };

    assertThat(warnings(lines))
        .containsExactly(
            "sluice.limit.reply.redis.unavailable="
                + unavailable
                + ": has no effect with exceeded=queue, because events wait in line while Redis is"
                + " down; set wait");
    assertThat(warnings(SettingLines.with(lines, "sluice.limit.reply.redis.unavailable=wait")))
        .isEmpty();
    assertThat(warnings(SettingLines.with(lines, "sluice.limit.reply.exceeded=reject")))
        .noneMatch(line -> line.contains("no effect"));
  }

  @Test
  void theSummaryNamesTheBoundsOfALine() {
    assertThat(ConfigReport.summary(config(QUEUE, "sluice.limit.reply.queue.max.wait=2h")))
        .contains("wait in line up to 2 h, at most 10000 in a line, else reject");
  }

  private static List<String> warnings(String... lines) {
    return ConfigReport.warnings(config(lines));
  }
}
