package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of limits that get a queue, or lose it, while events wait. */
class LiveQueueTest {
  private QueueSimulation queue;

  @BeforeEach
  void start(@TempDir Path folder) {
    queue = new QueueSimulation(folder, "sluice.limits=phone", "sluice.limit.phone.quota=1/60s");
  }

  private void revise(long fromMs, long untilMs, String json) {
    queue.revise(fromMs, untilMs, "'limit':'phone'," + json);
  }

  private void run(String exceeded, String... events) {
    queue.set("sluice.limit.phone.exceeded=" + exceeded);
    queue.runUsers(events);
  }

  @Test
  void limitThatRejectsGetsAQueueByARevision() {
    revise(10_000, 900_000, "'set':{'exceeded':'queue'}");
    run("reject", "a 0", "a 9999", "a 10000", "a 10001", "b 10002");

    assertThat(queue.leaving)
        .containsExactly(
            "a1 allowed 0",
            "a2 over-limit 9999",
            "a3 delayed",
            "a4 delayed",
            "b5 allowed 10002",
            "a3 allowed 60000",
            "a4 allowed 120000");
  }

  @Test
  void eventsThatWaitWhenTheQueueIsTakenAwayAreMeteredByTheLimitAsItIs() {
    revise(10_000, 70_000, "'set':{'exceeded':'queue'}");
    run("reject", "a 0", "a 10000", "a 10001", "a 70001");

    assertThat(queue.leaving)
        .containsExactly(
            "a1 allowed 0",
            "a2 delayed",
            "a3 delayed",
            "a2 allowed 60000",
            "a3 over-limit 70000",
            "a4 over-limit 70001");
  }

  @Test
  void eventsThatWaitReserveTheirSlotsWhenTheLimitDelaysInstead() {
    revise(10_000, 900_000, "'set':{'exceeded':'delay'}");
    run("queue", "a 0", "a 1", "a 2", "a 20000");

    assertThat(queue.leaving.subList(0, 3))
        .containsExactly("a1 allowed 0", "a2 delayed", "a3 delayed");
    assertThat(queue.leaving)
        .endsWith("a2 allowed 60000", "a3 allowed 120000", "a4 allowed 180000")
        .noneMatch(each -> each.contains("delay-too-long"));
  }

  @Test
  void eventsOfOneUserWaitInLine() {
    revise(0, 900_000, "'for':{'userId':'ada'},'set':{'exceeded':'queue'}");
    run("reject", "ada 0", "ada 1", "bob 2", "bob 3");

    assertThat(queue.leaving)
        .containsExactly(
            "ada1 allowed 0",
            "ada2 delayed",
            "bob3 allowed 2",
            "bob4 over-limit 3",
            "ada2 allowed 60000");
  }

  @Test
  void eventsThatWaitAreReleasedSoonerWhenTheQuotaGrows() {
    revise(10_000, 900_000, "'set':{'quota':'3/60s'}");
    run("queue", "a 0", "a 1", "a 2", "a 3");

    assertThat(queue.leaving.subList(4, 7))
        .containsExactly("a2 allowed 10000", "a3 allowed 10000", "a4 allowed 26667");
  }

  @Test
  void exemptEventsLeaveTheLineAtOnce() {
    revise(10_000, 900_000, "'for':{'userId':'ada'},'set':{'verdict':'allow'}");
    revise(20_000, 900_000, "'for':{'userId':'bob'},'set':{'verdict':'reject'}");
    run("queue", "ada 0", "ada 1", "ada 2", "bob 3", "bob 4");

    assertThat(queue.leaving)
        .containsExactly(
            "ada1 allowed 0",
            "ada2 delayed",
            "ada3 delayed",
            "bob4 allowed 3",
            "bob5 delayed",
            "ada2 allowed 10000",
            "ada3 allowed 10000",
            "bob5 denied 20000");
  }
}
