package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of queues while their limits are paused. */
class PausedQueueTest {
  private QueueSimulation queue;

  @BeforeEach
  void start(@TempDir Path folder) {
    queue =
        new QueueSimulation(
            folder,
            "sluice.limits=vendor",
            "sluice.limit.vendor.quota=10/1s",
            "sluice.limit.vendor.exceeded=queue");
  }

  private void pauseOf(String limit, long fromMs, long untilMs) {
    queue.revise(fromMs, untilMs, "'limit':'" + limit + "','set':{'verdict':'pause'}");
  }

  private void pauseOf(String limit, String user, long fromMs, long untilMs) {
    queue.revise(
        fromMs,
        untilMs,
        "'limit':'%s','for':{'userId':'%s'},'set':{'verdict':'pause'}".formatted(limit, user));
  }

  @Test
  void nothingLeavesBeforeThePauseEnds() {
    pauseOf("vendor", 1_000, 60_000);
    queue.runUsers("ada 0", "ada 999", "ada 1000", "ada 1001", "bob 59999", "bob 60000");

    assertThat(queue.leaving)
        .containsExactlyInAnyOrder(
            "ada1 allowed 0",
            "ada2 allowed 999",
            "ada3 delayed",
            "ada4 delayed",
            "bob5 delayed",
            "ada3 allowed 60000",
            "ada4 allowed 60000",
            "bob5 allowed 60000",
            "bob6 allowed 60000");
  }

  @Test
  void eventsThatHaveWaitedForTheLimitWaitForThePauseToo() {
    queue.set("sluice.limit.vendor.quota=1/10s");
    pauseOf("vendor", 5_000, 60_000);
    queue.runUsers("ada 0", "ada 1", "ada 2", "bob 3", "bob 4");

    assertThat(queue.leaving.get(7)).matches("ada3 allowed (69999|70000)");
    assertThat(queue.leaving.subList(0, 7))
        .containsExactly(
            "ada1 allowed 0",
            "ada2 delayed",
            "ada3 delayed",
            "bob4 allowed 3",
            "bob5 delayed",
            "ada2 allowed 60000",
            "bob5 allowed 60000");
  }

  @Test
  void thePauseOfOneUserHoldsNoOther() {
    pauseOf("vendor", "ada", 0, 60_000);
    queue.runUsers("ada 10", "bob 11", "ada 12", "bob 13");

    assertThat(queue.leaving)
        .containsExactly(
            "ada1 delayed",
            "bob2 allowed 11",
            "ada3 delayed",
            "bob4 allowed 13",
            "ada1 allowed 60000",
            "ada3 allowed 60000");
  }

  @Test
  void aPauseWithoutAnEndLastsUntilItIsResumed() {
    pauseOf("vendor", 0, 30_000);
    pauseOf("vendor", "ada", 0, QueueSimulation.NO_END);
    queue.set("sluice.limit.vendor.queue.max.wait=1h");
    queue.runUsers("ada 10", "bob 11");

    assertThat(queue.leaving)
        .containsExactly(
            "ada1 delayed", "bob2 delayed", "bob2 allowed 30000", "ada1 delay-too-long 3600010");
    assertThat(queue.number("retryAfterMs", 0)).isEqualTo(3_600_000);
    assertThat(queue.number("retryAfterMs", 1)).isEqualTo(29_989);
  }

  @Test
  void theVerdictSaysPausedAndWhenThePauseEnds() {
    pauseOf("vendor", 0, 60_000);
    queue.runUsers("ada 10", "ada 20", "bob 30");

    assertThat(queue.verdicts.subList(0, 3))
        .allSatisfy(line -> assertThat(line).contains("\"reason\":\"paused\""));
    for (int verdict = 0; verdict < 3; verdict++)
      assertThat(queue.number("releaseAtMs", verdict) - QueueSimulation.START)
          .isBetween(60_000L, 60_200L);
    assertThat(queue.verdicts.subList(3, 6)).noneMatch(line -> line.contains("paused"));
  }

  @Test
  void exemptEventsPassAndBlockedOnesAreRejected() {
    pauseOf("vendor", 0, 60_000);
    queue.revise(20_000, 900_000, "'limit':'*','for':{'userId':'vip'},'set':{'verdict':'allow'}");
    queue.revise(30_000, 900_000, "'limit':'*','for':{'userId':'eve'},'set':{'verdict':'reject'}");
    queue.runUsers("ada 10", "vip 11", "eve 12", "vip 40000", "eve 40001");

    assertThat(queue.leaving)
        .containsExactly(
            "ada1 delayed",
            "vip2 delayed",
            "eve3 delayed",
            "vip2 allowed 20000",
            "eve3 denied 30000",
            "vip4 allowed 40000",
            "eve5 denied 40001",
            "ada1 allowed 60000");
  }

  @Test
  void aPauseOfEveryLimitHoldsTheQueues() {
    queue.set("sluice.limits=vendor,post");
    queue.set("sluice.limit.post.match.action=post");
    queue.set("sluice.limit.post.quota=1/1s");
    pauseOf("*", 0, 60_000);
    queue.runUsers("ada 10");

    assertThat(queue.leaving).containsExactly("ada1 delayed", "ada1 allowed 60000");
  }

  @Test
  void aNewEventDoesNotOvertakeThoseThatHaveWaitedForThePause() {
    queue.set("sluice.limit.vendor.quota=1/10s");
    queue.set("sluice.limits=vendor,total");
    queue.set("sluice.limit.total.quota=1/10s");
    queue.set("sluice.limit.total.key=action");
    queue.set("sluice.limit.vendor.key=action,userId");
    queue.set("sluice.limit.total.exceeded=queue");
    pauseOf("total", 0, 60_000);
    queue.runUsers("ada 10", "bob 60001");

    assertThat(queue.leaving.subList(0, 3))
        .containsExactly("ada1 delayed", "ada1 allowed 60000", "bob2 delayed");
  }

  @Test
  void aPauseAndOpeningHoursBothHold() {
    // The start is a Tuesday, at 22:13:20 UTC.
    queue.set("sluice.limit.vendor.open=mon-sun 08:00-20:00");
    long opens = 35_200_000;
    pauseOf("vendor", 0, opens + 60_000);
    queue.runUsers("ada 10");

    assertThat(queue.leaving).containsExactly("ada1 delayed", "ada1 allowed " + (opens + 60_000));
  }
}
