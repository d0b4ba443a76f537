package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of events that wait in line, in a simulation with its virtual clock. */
class EventQueueTest {
  private QueueSimulation queue;

  /** A vendor that takes 20 a second, and one message a minute for each user. */
  @BeforeEach
  void start(@TempDir Path folder) {
    queue =
        new QueueSimulation(
            folder,
            "sluice.limits=vendor,phone",
            "sluice.limit.vendor.key=target",
            "sluice.limit.vendor.quota=20/1s",
            "sluice.limit.vendor.burst=1",
            "sluice.limit.vendor.exceeded=queue",
            "sluice.limit.phone.key=target,userId",
            "sluice.limit.phone.quota=1/60s",
            "sluice.limit.phone.exceeded=queue");
  }

  private void withoutPhone() {
    queue.settings.keySet().removeIf(each -> each.startsWith("sluice.limit.phone."));
    queue.set("sluice.limits=vendor");
  }

  private static String event(String id, String user, long atMs) {
    return event(id, user, atMs, 1);
  }

  private static String event(String id, String user, long atMs, long cost) {
    return QueueSimulation.event(id, user, atMs, ",\"cost\":" + cost);
  }

  @Test
  void messagesToOnePhoneWaitWithoutHoldingUpOthers() {
    queue.run(
        event("a1", "a", 1),
        event("a2", "a", 2),
        event("a3", "a", 3),
        event("b1", "b", 1_000),
        event("c1", "c", 2_000));
    assertThat(queue.leaving)
        .containsExactly(
            "a1 allowed 1",
            "a2 delayed",
            "a3 delayed",
            "b1 allowed 1000",
            "c1 allowed 2000",
            "a2 allowed 60001",
            "a3 allowed 120001");
    assertThat(queue.verdicts.get(1)).contains("\"estimate\":true");
    assertThat(queue.verdicts.get(5))
        .contains("\"releasedAtMs\":" + (QueueSimulation.START + 60_001));
  }

  @Test
  void sharedPaceIsKeptInTheOrderOfArrival() {
    String[] events = new String[100];
    for (int i = 0; i < events.length; i++) events[i] = event("e" + i, "u" + i, 0);
    queue.run(events);
    List<String> allowed = queue.leaving.stream().filter(each -> each.contains("allowed")).toList();
    for (int i = 0; i < events.length; i++)
      assertThat(allowed.get(i)).isEqualTo("e" + i + " allowed " + 50 * i);
  }

  @Test
  void expensiveEventIsNotOvertakenByCheapOnes() {
    withoutPhone();
    queue.set("sluice.limit.vendor.burst=10");
    queue.run(
        event("a", "a", 0, 10),
        event("b", "b", 1, 5),
        event("c", "c", 2, 1),
        event("d", "d", 260, 1));
    assertThat(queue.leaving)
        .containsExactly(
            "a allowed 0",
            "b delayed",
            "c delayed",
            "b allowed 250",
            "d delayed",
            "c allowed 300",
            "d allowed 350");
  }

  @Test
  void eventsLeaveTheLineWhenTheyHaveWaitedTooLongOrTheLineIsFull() {
    queue.set("sluice.limit.phone.queue.max.wait=90s");
    queue.set("sluice.limit.phone.queue.max.length=2");
    queue.run(
        event("a1", "a", 0),
        event("a2", "a", 0),
        event("a3", "a", 0),
        event("a4", "a", 0),
        event("b1", "b", 1_000));
    assertThat(queue.leaving)
        .containsExactly(
            "a1 allowed 0",
            "a2 delayed",
            "a3 delayed",
            "a4 queue-full 0",
            "b1 allowed 1000",
            "a2 allowed 60000",
            "a3 delay-too-long 90000");
  }

  @Test
  void duplicateOfAWaitingEventIsRejected() {
    queue.run(event("a1", "a", 0), event("a2", "a", 0), event("a2", "a", 5));
    assertThat(queue.leaving)
        .containsExactly("a1 allowed 0", "a2 delayed", "a2 duplicate 5", "a2 allowed 60000");
  }

  @Test
  void duplicateOfAReleasedEventGetsItsVerdictAtOnceIfThatIsRepeated() {
    queue.set("sluice.duplicates=repeat");
    queue.run(
        event("a1", "a", 0), event("b1", "b", 10), event("c1", "c", 120), event("b1", "b", 130));
    assertThat(queue.leaving)
        .containsExactly(
            "a1 allowed 0", "b1 delayed", "b1 allowed 50", "c1 allowed 120", "b1 allowed 130");
  }

  @Test
  void eventsOfAnotherTimeZoneDoNotWaitForTheHoursOfThisOne() {
    withoutPhone();
    queue.set("sluice.limit.vendor.open=mon-sun 08:00-20:00");
    queue.set("sluice.limit.vendor.zone=attributes.zone,UTC");
    // It is 22:13 in UTC, and 07:13 in Tokyo, which opens 46 minutes and 40 seconds later.
    String tokyo = event("t1", "a", 0).replace("}", ",\"attributes\":{\"zone\":\"Asia/Tokyo\"}}");
    String sydney =
        event("s1", "b", 10).replace("}", ",\"attributes\":{\"zone\":\"Australia/Sydney\"}}");
    queue.run(tokyo, sydney);
    assertThat(queue.leaving).containsExactly("t1 delayed", "s1 allowed 10", "t1 allowed 2800000");
  }

  @Test
  void limitThatRejectsDecidesAtTheRelease() {
    queue.set("sluice.limits=vendor,phone,daily");
    queue.set("sluice.limit.daily.key=target,userId");
    queue.set("sluice.limit.daily.quota=2/1d");
    queue.set("sluice.limit.daily.algorithm=sliding-window-log");
    queue.run(event("a1", "a", 0), event("a2", "a", 0), event("a3", "a", 0));
    assertThat(queue.leaving)
        .containsExactly(
            "a1 allowed 0", "a2 delayed", "a3 delayed", "a2 allowed 60000", "a3 over-limit 60000");
    assertThat(queue.verdicts.get(4)).contains("\"limit\":\"daily\"");
  }
}
