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

/** Tests of queues while their limits are paused. */
class PausedQueueTest {
  private static final long START = 1_700_000_000_000L;
  private static final long NO_END = 0;

  @TempDir private Path folder;

  private final List<String> lines = new ArrayList<>();
  private final List<String> leaving = new ArrayList<>();
  private final List<LimitRevision> revisions = new ArrayList<>();
  private final Map<String, String> settings = new HashMap<>();
  private Simulation simulation;

  private final class Run implements Simulation.Output {
    @Override
    public void verdict(SimulatedVerdict verdict) {
      lines.add(verdict.json());
      String id = field("eventId", verdict.json());
      long atMs = simulation.now().toEpochMilli() - START;
      if (verdict.isDelayed()) leaving.add(id + " delayed");
      else if (verdict.isAllowed()) leaving.add(id + " allowed " + atMs);
      else leaving.add(id + " " + field("reason", verdict.json()) + " " + atMs);
    }

    @Override
    public void notAnEvent(String why) {
      leaving.add("not an event: " + why);
    }
  }

  private static String field(String name, String json) {
    return json.replaceAll(".*\"" + name + "\":\"([^\"]*)\".*", "$1");
  }

  private static long number(String name, String json) {
    return Long.parseLong(json.replaceAll(".*\"" + name + "\":(\\d+).*", "$1"));
  }

  /** Adds a revision from an instant until another one, in ms after the start. */
  private void revise(long fromMs, long untilMs, String json) {
    String end = untilMs == NO_END ? "" : "'until':" + (START + untilMs) + ",";
    String line =
        "{'id':'r%d','effectiveAt':%d,%s%s}".formatted(revisions.size(), START + fromMs, end, json);
    try {
      revisions.add(new RevisionReader().ofLine(line.replace('\'', '"'), 1));
    } catch (UnreadableRevisionException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private void pauseOf(String limit, long fromMs, long untilMs) {
    revise(fromMs, untilMs, "'limit':'" + limit + "','set':{'verdict':'pause'}");
  }

  private void pauseOf(String limit, String user, long fromMs, long untilMs) {
    revise(
        fromMs,
        untilMs,
        "'limit':'%s','for':{'userId':'%s'},'set':{'verdict':'pause'}".formatted(limit, user));
  }

  /** Feeds events of users, such as {@code ada 500}, to a limit of ten a second for each user. */
  private void run(String... events) {
    settings.put("bootstrap.servers", "localhost:9092");
    settings.put("application.id", "test");
    settings.putIfAbsent("sluice.limits", "vendor");
    settings.putIfAbsent("sluice.limit.vendor.quota", "10/1s");
    settings.put("sluice.limit.vendor.exceeded", "queue");
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
  void nothingLeavesBeforeThePauseEnds() {
    pauseOf("vendor", 1_000, 60_000);
    run("ada 0", "ada 999", "ada 1000", "ada 1001", "bob 59999", "bob 60000");

    assertThat(leaving)
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
    settings.put("sluice.limit.vendor.quota", "1/10s");
    pauseOf("vendor", 5_000, 60_000);
    run("ada 0", "ada 1", "ada 2", "bob 3", "bob 4");

    assertThat(leaving.get(7)).matches("ada3 allowed (69999|70000)");
    assertThat(leaving.subList(0, 7))
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
    run("ada 10", "bob 11", "ada 12", "bob 13");

    assertThat(leaving)
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
    pauseOf("vendor", "ada", 0, NO_END);
    settings.put("sluice.limit.vendor.queue.max.wait", "1h");
    run("ada 10", "bob 11");

    assertThat(leaving)
        .containsExactly(
            "ada1 delayed", "bob2 delayed", "bob2 allowed 30000", "ada1 delay-too-long 3600010");
    assertThat(number("retryAfterMs", lines.get(0))).isEqualTo(3_600_000);
    assertThat(number("retryAfterMs", lines.get(1))).isEqualTo(29_989);
  }

  @Test
  void theVerdictSaysPausedAndWhenThePauseEnds() {
    pauseOf("vendor", 0, 60_000);
    run("ada 10", "ada 20", "bob 30");

    assertThat(lines.subList(0, 3))
        .allSatisfy(line -> assertThat(line).contains("\"reason\":\"paused\""));
    assertThat(lines.subList(0, 3))
        .extracting(line -> number("releaseAtMs", line) - START)
        .allSatisfy(atMs -> assertThat(atMs).isBetween(60_000L, 60_200L));
    assertThat(lines.subList(3, 6)).noneMatch(line -> line.contains("paused"));
  }

  @Test
  void exemptEventsPassAndBlockedOnesAreRejected() {
    pauseOf("vendor", 0, 60_000);
    revise(20_000, 900_000, "'limit':'*','for':{'userId':'vip'},'set':{'verdict':'allow'}");
    revise(30_000, 900_000, "'limit':'*','for':{'userId':'eve'},'set':{'verdict':'reject'}");
    run("ada 10", "vip 11", "eve 12", "vip 40000", "eve 40001");

    assertThat(leaving)
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
    settings.put("sluice.limits", "vendor,post");
    settings.put("sluice.limit.post.match.action", "post");
    settings.put("sluice.limit.post.quota", "1/1s");
    pauseOf("*", 0, 60_000);
    run("ada 10");

    assertThat(leaving).containsExactly("ada1 delayed", "ada1 allowed 60000");
  }

  @Test
  void aNewEventDoesNotOvertakeThoseThatHaveWaitedForThePause() {
    settings.put("sluice.limit.vendor.quota", "1/10s");
    settings.put("sluice.limits", "vendor,total");
    settings.put("sluice.limit.total.quota", "1/10s");
    settings.put("sluice.limit.total.key", "action");
    settings.put("sluice.limit.vendor.key", "action,userId");
    settings.put("sluice.limit.total.exceeded", "queue");
    pauseOf("total", 0, 60_000);
    run("ada 10", "bob 60001");

    assertThat(leaving.subList(0, 3))
        .containsExactly("ada1 delayed", "ada1 allowed 60000", "bob2 delayed");
  }

  @Test
  void aPauseAndOpeningHoursBothHold() {
    // The start is a Tuesday, at 22:13:20 UTC.
    settings.put("sluice.limit.vendor.open", "mon-sun 08:00-20:00");
    long opens = 35_200_000;
    pauseOf("vendor", 0, opens + 60_000);
    run("ada 10");

    assertThat(leaving).containsExactly("ada1 delayed", "ada1 allowed " + (opens + 60_000));
  }
}
