package io.sluice.topology.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.simulation.SimulatedVerdict;
import io.sluice.topology.simulation.Simulation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of events that wait in line, in a simulation with its virtual clock. */
class EventQueueTest {
  private static final long START = 1_700_000_000_000L;

  @TempDir private Path folder;

  private final List<String> leaving = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();

  /** Settings of a vendor that takes 20 a second, and of one message a minute for each user. */
  private static Map<String, String> vendorAndPhone() {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", "localhost:9092");
    settings.put("application.id", "test");
    settings.put("sluice.limits", "vendor,phone");
    settings.put("sluice.limit.vendor.key", "target");
    settings.put("sluice.limit.vendor.quota", "20/1s");
    settings.put("sluice.limit.vendor.burst", "1");
    settings.put("sluice.limit.vendor.exceeded", "queue");
    settings.put("sluice.limit.phone.key", "target,userId");
    settings.put("sluice.limit.phone.quota", "1/60s");
    settings.put("sluice.limit.phone.exceeded", "queue");
    return settings;
  }

  private final class Run implements Simulation.Output {
    @Override
    public void verdict(SimulatedVerdict verdict) {
      lines.add(verdict.json());
      String id = verdict.json().replaceAll(".*\"eventId\":\"([^\"]*)\".*", "$1");
      if (verdict.isDelayed()) leaving.add(id + " delayed");
      else leaving.add(id + (verdict.isAllowed() ? " allowed " : " rejected ") + atMs());
    }

    @Override
    public void notAnEvent(String why) {
      leaving.add("not an event: " + why);
    }
  }

  private Simulation simulation;

  private long atMs() {
    return simulation.now().toEpochMilli() - START;
  }

  private void run(Map<String, String> settings, String... events) {
    simulation =
        Simulation.start(
            SluiceConfig.of(settings),
            () -> {
              throw new IllegalStateException("no limit is in Redis");
            },
            folder);
    Run output = new Run();
    for (String each : events) simulation.feed(each.getBytes(UTF_8), output);
    while (simulation.delayed() > 0) simulation.runOn(output);
    simulation.close();
  }

  private static String event(String id, String user, long atMs) {
    return event(id, user, atMs, 1);
  }

  private static String event(String id, String user, long atMs, long cost) {
    return "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"sms\",\"target\":\"v\",\"occurredAt\":%d,\"cost\":%d}"
        .formatted(id, user, START + atMs, cost);
  }

  @Test
  void messagesToOnePhoneWaitWithoutHoldingUpOthers() {
    run(
        vendorAndPhone(),
        event("a1", "a", 1),
        event("a2", "a", 2),
        event("a3", "a", 3),
        event("b1", "b", 1_000),
        event("c1", "c", 2_000));
    assertThat(leaving)
        .containsExactly(
            "a1 allowed 1",
            "a2 delayed",
            "a3 delayed",
            "b1 allowed 1000",
            "c1 allowed 2000",
            "a2 allowed 60001",
            "a3 allowed 120001");
    assertThat(lines.get(1)).contains("\"estimate\":true");
    assertThat(lines.get(5)).contains("\"releasedAtMs\":" + (START + 60_001));
  }

  @Test
  void sharedPaceIsKeptInTheOrderOfArrival() {
    String[] events = new String[100];
    for (int i = 0; i < events.length; i++) events[i] = event("e" + i, "u" + i, 0);
    run(vendorAndPhone(), events);
    List<String> allowed = leaving.stream().filter(each -> each.contains("allowed")).toList();
    for (int i = 0; i < events.length; i++)
      assertThat(allowed.get(i)).isEqualTo("e" + i + " allowed " + 50 * i);
  }

  @Test
  void expensiveEventIsNotOvertakenByCheapOnes() {
    Map<String, String> settings = vendorAndPhone();
    settings.keySet().removeIf(each -> each.startsWith("sluice.limit.phone."));
    settings.put("sluice.limits", "vendor");
    settings.put("sluice.limit.vendor.burst", "10");
    run(
        settings,
        event("a", "a", 0, 10),
        event("b", "b", 1, 5),
        event("c", "c", 2, 1),
        event("d", "d", 260, 1));
    assertThat(leaving)
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
    Map<String, String> settings = vendorAndPhone();
    settings.put("sluice.limit.phone.queue.max.wait", "90s");
    settings.put("sluice.limit.phone.queue.max.length", "2");
    run(
        settings,
        event("a1", "a", 0),
        event("a2", "a", 0),
        event("a3", "a", 0),
        event("a4", "a", 0),
        event("b1", "b", 1_000));
    assertThat(leaving)
        .containsExactly(
            "a1 allowed 0",
            "a2 delayed",
            "a3 delayed",
            "a4 rejected 0",
            "b1 allowed 1000",
            "a2 allowed 60000",
            "a3 rejected 90000");
    assertThat(lines.get(3)).contains("\"reason\":\"queue-full\"");
    assertThat(lines.get(6)).contains("\"reason\":\"delay-too-long\"");
  }

  @Test
  void duplicateOfAWaitingEventIsRejected() {
    run(vendorAndPhone(), event("a1", "a", 0), event("a2", "a", 0), event("a2", "a", 5));
    assertThat(leaving)
        .containsExactly("a1 allowed 0", "a2 delayed", "a2 rejected 5", "a2 allowed 60000");
    assertThat(lines.get(2)).contains("\"reason\":\"duplicate\"");
  }

  @Test
  void duplicateOfAReleasedEventGetsItsVerdictAtOnceIfThatIsRepeated() {
    Map<String, String> settings = vendorAndPhone();
    settings.put("sluice.duplicates", "repeat");
    run(
        settings,
        event("a1", "a", 0),
        event("b1", "b", 10),
        event("c1", "c", 120),
        event("b1", "b", 130));
    assertThat(leaving)
        .containsExactly(
            "a1 allowed 0", "b1 delayed", "b1 allowed 50", "c1 allowed 120", "b1 allowed 130");
  }

  @Test
  void eventsOfAnotherTimeZoneDoNotWaitForTheHoursOfThisOne() {
    Map<String, String> settings = vendorAndPhone();
    settings.keySet().removeIf(each -> each.startsWith("sluice.limit.phone."));
    settings.put("sluice.limits", "vendor");
    settings.put("sluice.limit.vendor.open", "mon-sun 08:00-20:00");
    settings.put("sluice.limit.vendor.zone", "attributes.zone,UTC");
    // It is 22:13 in UTC, and 07:13 in Tokyo, which opens 46 minutes and 40 seconds later.
    String tokyo = event("t1", "a", 0).replace("}", ",\"attributes\":{\"zone\":\"Asia/Tokyo\"}}");
    String sydney =
        event("s1", "b", 10).replace("}", ",\"attributes\":{\"zone\":\"Australia/Sydney\"}}");
    run(settings, tokyo, sydney);
    assertThat(leaving).containsExactly("t1 delayed", "s1 allowed 10", "t1 allowed 2800000");
  }

  @Test
  void limitThatRejectsDecidesAtTheRelease() {
    Map<String, String> settings = vendorAndPhone();
    settings.put("sluice.limits", "vendor,phone,daily");
    settings.put("sluice.limit.daily.key", "target,userId");
    settings.put("sluice.limit.daily.quota", "2/1d");
    settings.put("sluice.limit.daily.algorithm", "sliding-window-log");
    run(settings, event("a1", "a", 0), event("a2", "a", 0), event("a3", "a", 0));
    assertThat(leaving)
        .containsExactly(
            "a1 allowed 0", "a2 delayed", "a3 delayed", "a2 allowed 60000", "a3 rejected 60000");
    assertThat(lines.get(4)).contains("\"limit\":\"daily\"");
  }
}
