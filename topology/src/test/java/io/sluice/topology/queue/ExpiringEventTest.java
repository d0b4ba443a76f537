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

/** Tests of events with an end of their own, in a simulation with its virtual clock. */
class ExpiringEventTest {
  private static final long START = 1_700_000_000_000L;

  @TempDir private Path folder;

  private final List<String> leaving = new ArrayList<>();
  private Simulation simulation;

  /** Settings of one message a minute for each user, and of the field {@code until}. */
  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", "localhost:9092");
    settings.put("application.id", "test");
    settings.put("sluice.event.expires", "until");
    settings.put("sluice.limits", "phone");
    settings.put("sluice.limit.phone.quota", "1/60s");
    settings.put("sluice.limit.phone.exceeded", "queue");
    return settings;
  }

  private final class Run implements Simulation.Output {
    @Override
    public void verdict(SimulatedVerdict verdict) {
      String id = verdict.json().replaceAll(".*\"eventId\":\"([^\"]*)\".*", "$1");
      String reason = verdict.json().replaceAll(".*\"reason\":\"([^\"]*)\".*", "$1");
      long atMs = simulation.now().toEpochMilli() - START;
      if (verdict.isDelayed()) leaving.add(id + " delayed");
      else leaving.add(id + (verdict.isAllowed() ? " allowed " : " " + reason + " ") + atMs);
    }

    @Override
    public void notAnEvent(String why) {
      leaving.add("not an event: " + why);
    }
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

  private static String event(String id, long atMs, String until) {
    return "{\"eventId\":\"%s\",\"userId\":\"a\",\"action\":\"sms\",\"occurredAt\":%d%s}"
        .formatted(id, START + atMs, until);
  }

  private static String until(long atMs) {
    return ",\"until\":" + (START + atMs);
  }

  @Test
  void eventThatHasExpiredAtItsArrivalIsRejectedEvenIfThereAreFreePermits() {
    run(settings(), event("a1", 1_000, until(1_000)), event("a2", 1_001, until(1_002)));

    assertThat(leaving).containsExactly("a1 expired 1000", "a2 allowed 1001");
  }

  @Test
  void eventThatWaitsIsRejectedAtItsEnd() {
    run(
        settings(),
        event("a1", 0, ""),
        event("a2", 0, until(30_000)),
        event("a3", 0, ",\"until\":null"),
        event("a4", 0, until(10_000)));

    assertThat(leaving)
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
    Map<String, String> settings = settings();
    settings.put("sluice.limit.phone.queue.max.wait", "20s");
    run(settings, event("a1", 0, ""), event("a2", 0, until(30_000)), event("a3", 0, until(10_000)));

    assertThat(leaving)
        .containsExactly(
            "a1 allowed 0",
            "a2 delayed",
            "a3 delayed",
            "a3 expired 10000",
            "a2 delay-too-long 20000");
  }

  @Test
  void endOfAnEventDoesNotMatterWithoutAQueue() {
    Map<String, String> settings = settings();
    settings.put("sluice.limit.phone.exceeded", "delay");
    run(settings, event("a1", 0, until(-5_000)), event("a2", 0, until(1_000)));

    assertThat(leaving).containsExactly("a1 allowed 0", "a2 delayed", "a2 allowed 60000");
  }

  @Test
  void endThatIsNoTimeMakesADeadLetter() {
    run(settings(), event("a1", 0, ",\"until\":\"soon\""));

    assertThat(leaving)
        .containsExactly(
            "not an event: until is not a time in ISO-8601, such as 2026-11-21T09:00:00Z");
  }

  @Test
  void inputTopicMayHaveAFieldOfItsOwn() {
    Map<String, String> settings = settings();
    settings.put("sluice.input.user-actions.event.expires", "end");
    run(
        settings,
        event("a1", 1_000, until(500)),
        event("a2", 62_000, until(500) + ",\"end\":" + (START + 500)));

    assertThat(leaving).containsExactly("a1 allowed 1000", "a2 expired 62000");
  }
}
