package io.sluice.topology.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

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

/** Events that wait in line in a simulation with its virtual clock, for tests. */
final class QueueSimulation implements Simulation.Output {
  /** When it starts: a Tuesday, at 22:13:20 UTC. */
  static final long START = 1_700_000_000_000L;

  /** End of a revision that has none. */
  static final long NO_END = 0;

  /** Settings, which a test may change before it runs events. */
  final Map<String, String> settings = new HashMap<>();

  /** The JSON of each verdict. */
  final List<String> verdicts = new ArrayList<>();

  /**
   * Verdicts on the events by their ids, such as {@code ada2 delayed}, {@code ada2 allowed 60000}
   * or {@code ada3 expired 10000}, in ms after the start.
   */
  final List<String> leaving = new ArrayList<>();

  private final Path folder;
  private final List<LimitRevision> revisions = new ArrayList<>();
  private Simulation simulation;

  QueueSimulation(Path folder, String... settings) {
    this.folder = folder;
    set("bootstrap.servers=localhost:9092");
    set("application.id=test");
    for (String each : settings) set(each);
  }

  void set(String setting) {
    String[] parts = setting.split("=", 2);
    settings.put(parts[0], parts[1]);
  }

  /** Adds a revision from an instant until another one, in ms after the start. */
  void revise(long fromMs, long untilMs, String json) {
    String end = untilMs == NO_END ? "" : "'until':" + (START + untilMs) + ",";
    String line =
        "{'id':'r%d','effectiveAt':%d,%s%s}".formatted(revisions.size(), START + fromMs, end, json);
    try {
      revisions.add(new RevisionReader().ofLine(line.replace('\'', '"'), 1));
    } catch (UnreadableRevisionException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** JSON of an event of a user. */
  static String event(String id, String user, long atMs, String more) {
    return "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"sms\",\"target\":\"v\",\"occurredAt\":%d%s}"
        .formatted(id, user, START + atMs, more);
  }

  /** Feeds an event for each user and instant, such as {@code ada 500}, with ids as ada1. */
  void runUsers(String... usersAndTimes) {
    String[] events = new String[usersAndTimes.length];
    for (int i = 0; i < events.length; i++) {
      String[] parts = usersAndTimes[i].split(" ");
      events[i] = event(parts[0] + (i + 1), parts[0], Long.parseLong(parts[1]), "");
    }
    run(events);
  }

  /** Feeds events as JSON, and goes on until none waits. */
  void run(String... events) {
    SluiceConfig config = SluiceConfig.of(settings);
    simulation =
        Simulation.start(
            config,
            Simulation.limits(config, revisions),
            () -> {
              throw new IllegalStateException("no limit is in Redis");
            },
            folder);
    for (String each : events) simulation.feed(each.getBytes(UTF_8), this);
    while (simulation.delayed() > 0) simulation.runOn(this);
    simulation.close();
  }

  @Override
  public void verdict(SimulatedVerdict verdict) {
    String json = verdict.json();
    verdicts.add(json);
    String id = text("eventId", json);
    long atMs = simulation.now().toEpochMilli() - START;
    if (verdict.isDelayed()) leaving.add(id + " delayed");
    else
      leaving.add(id + " " + (verdict.isAllowed() ? "allowed" : text("reason", json)) + " " + atMs);
  }

  @Override
  public void notAnEvent(String why) {
    leaving.add("not an event: " + why);
  }

  private static String text(String name, String json) {
    return json.replaceAll(".*\"" + name + "\":\"([^\"]*)\".*", "$1");
  }

  /** A number of the verdict at an index. */
  long number(String name, int verdict) {
    return Long.parseLong(verdicts.get(verdict).replaceAll(".*\"" + name + "\":(\\d+).*", "$1"));
  }
}
