package io.sluice.topology.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.revision.RevisionReader;
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

/** Tests of limits that get a queue, or lose it, while events wait. */
class LiveQueueTest {
  private static final long START = 1_700_000_000_000L;

  @TempDir private Path folder;

  private final List<String> leaving = new ArrayList<>();
  private final List<LimitRevision> revisions = new ArrayList<>();
  private Simulation simulation;

  private final class Run implements Simulation.Output {
    @Override
    public void verdict(SimulatedVerdict verdict) {
      String id = verdict.json().replaceAll(".*\"eventId\":\"([^\"]*)\".*", "$1");
      String reason = verdict.json().replaceAll(".*\"reason\":\"([^\"]*)\".*", "$1");
      long atMs = simulation.now().toEpochMilli() - START;
      if (verdict.isDelayed()) leaving.add(id + " delayed");
      else leaving.add(id + " " + (verdict.isAllowed() ? "allowed" : reason) + " " + atMs);
    }

    @Override
    public void notAnEvent(String why) {
      leaving.add("not an event: " + why);
    }
  }

  /** Adds a revision from an instant until another one, in ms after the start. */
  private void revise(long fromMs, long untilMs, String json) {
    String line =
        "{'id':'r%d','effectiveAt':%d,'until':%d,'limit':'phone',%s}"
            .formatted(revisions.size(), START + fromMs, START + untilMs, json);
    try {
      revisions.add(new RevisionReader().ofLine(line.replace('\'', '"'), 1));
    } catch (UnreadableRevisionException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Feeds events of users, such as {@code ada 500}, to a limit of one a minute. */
  private void run(String exceeded, String... events) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", "localhost:9092");
    settings.put("application.id", "test");
    settings.put("sluice.limits", "phone");
    settings.put("sluice.limit.phone.quota", "1/60s");
    settings.put("sluice.limit.phone.exceeded", exceeded);
    SluiceConfig config = SluiceConfig.of(settings);
    simulation =
        Simulation.start(
            config,
            Simulation.limits(config, revisions),
            () -> {
              throw new IllegalStateException("no limit is in Redis");
            },
            folder);
    Run output = new Run();
    int number = 0;
    for (String each : events) {
      String[] parts = each.split(" ");
      String event =
          "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"sms\",\"occurredAt\":%d}"
              .formatted(parts[0] + ++number, parts[0], START + Long.parseLong(parts[1]));
      simulation.feed(event.getBytes(UTF_8), output);
    }
    while (simulation.delayed() > 0) simulation.runOn(output);
    simulation.close();
  }

  @Test
  void limitThatRejectsGetsAQueueByARevision() {
    revise(10_000, 900_000, "'set':{'exceeded':'queue'}");
    run("reject", "a 0", "a 9999", "a 10000", "a 10001", "b 10002");

    assertThat(leaving)
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

    assertThat(leaving)
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

    assertThat(leaving.subList(0, 3)).containsExactly("a1 allowed 0", "a2 delayed", "a3 delayed");
    assertThat(leaving)
        .endsWith("a2 allowed 60000", "a3 allowed 120000", "a4 allowed 180000")
        .noneMatch(each -> each.contains("delay-too-long"));
  }

  @Test
  void eventsOfOneUserWaitInLine() {
    revise(0, 900_000, "'for':{'userId':'ada'},'set':{'exceeded':'queue'}");
    run("reject", "ada 0", "ada 1", "bob 2", "bob 3");

    assertThat(leaving)
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

    assertThat(leaving.subList(4, 7))
        .containsExactly("a2 allowed 10000", "a3 allowed 10000", "a4 allowed 26667");
  }

  @Test
  void exemptEventsLeaveTheLineAtOnce() {
    revise(10_000, 900_000, "'for':{'userId':'ada'},'set':{'verdict':'allow'}");
    revise(20_000, 900_000, "'for':{'userId':'bob'},'set':{'verdict':'reject'}");
    run("queue", "ada 0", "ada 1", "ada 2", "bob 3", "bob 4");

    assertThat(leaving)
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
