package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of events with an end of their own, in a simulation with its virtual clock. */
class ExpiringEventTest {
  private QueueSimulation queue;

  /** One message a minute for each user, and the field {@code until}. */
  @BeforeEach
  void start(@TempDir Path folder) {
    queue =
        new QueueSimulation(
            folder,
            "sluice.event.expires=until",
            "sluice.limits=phone",
            "sluice.limit.phone.quota=1/60s",
            "sluice.limit.phone.exceeded=queue");
  }

  private static String event(String id, long atMs, String until) {
    return QueueSimulation.event(id, "a", atMs, until);
  }

  private static String until(long atMs) {
    return ",\"until\":" + (QueueSimulation.START + atMs);
  }

  @Test
  void eventThatHasExpiredAtItsArrivalIsRejectedEvenIfThereAreFreePermits() {
    queue.run(event("a1", 1_000, until(1_000)), event("a2", 1_001, until(1_002)));

    assertThat(queue.leaving).containsExactly("a1 expired 1000", "a2 allowed 1001");
  }

  @Test
  void eventThatWaitsIsRejectedAtItsEnd() {
    queue.run(
        event("a1", 0, ""),
        event("a2", 0, until(30_000)),
        event("a3", 0, ",\"until\":null"),
        event("a4", 0, until(10_000)));

    assertThat(queue.leaving)
        .containsExactly(
            "a1 allowed 0",
            "a2 delayed",
            "a3 delayed",
            "a4 delayed",
            "a4 expired 10000",
            "a2 expired 30000",
            "a3 allowed 60000");
  }

  @Test
  void longestWaitInLineComesBeforeALaterEndOfTheEvent() {
    queue.set("sluice.limit.phone.queue.max.wait=20s");
    queue.run(event("a1", 0, ""), event("a2", 0, until(30_000)), event("a3", 0, until(10_000)));

    assertThat(queue.leaving)
        .containsExactly(
            "a1 allowed 0",
            "a2 delayed",
            "a3 delayed",
            "a3 expired 10000",
            "a2 delay-too-long 20000");
  }

  @Test
  void endOfAnEventDoesNotMatterWithoutAQueue() {
    queue.set("sluice.limit.phone.exceeded=delay");
    queue.run(event("a1", 0, until(-5_000)), event("a2", 0, until(1_000)));

    assertThat(queue.leaving).containsExactly("a1 allowed 0", "a2 delayed", "a2 allowed 60000");
  }

  @Test
  void endThatIsNoTimeMakesADeadLetter() {
    queue.run(event("a1", 0, ",\"until\":\"soon\""));

    assertThat(queue.leaving)
        .containsExactly(
            "not an event: until is not a time in ISO-8601, such as 2026-11-21T09:00:00Z");
  }

  @Test
  void inputTopicMayHaveAFieldOfItsOwn() {
    queue.set("sluice.input.user-actions.event.expires=end");
    queue.run(
        event("a1", 1_000, until(500)),
        event("a2", 62_000, until(500) + ",\"end\":" + (QueueSimulation.START + 500)));

    assertThat(queue.leaving).containsExactly("a1 allowed 1000", "a2 expired 62000");
  }
}
