package io.sluice.cli.simulate;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.simulation.SimulatedVerdict;
import io.sluice.topology.simulation.Simulation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Generates the manual's {@code docs/algorithms.svg}: the decisions of each algorithm on the same
 * traffic, made by the real topology.
 */
final class AlgorithmPicture {
  static final String FILE = "algorithms.svg";

  private static final String QUOTA = "10/10s";

  /**
   * Start of the traffic: half a minute before the end of an hour, so that the picture shows a
   * calendar window ending.
   */
  private static final long START_MS = 3_570_000;

  private static final int TARGETS = 5;

  private AlgorithmPicture() {}

  /** Main method. Argument: the folder to write to. */
  public static void main(String[] args) throws IOException {
    Path scratch = Files.createTempDirectory("algorithm-picture");
    Files.writeString(Path.of(args[0], FILE), svg(scratch));
  }

  /**
   * Returns the picture as SVG.
   *
   * @param scratch an empty folder
   */
  static String svg(Path scratch) {
    Map<String, List<String>> limits = new LinkedHashMap<>();
    limits.put("funnel", List.of("algorithm=funnel"));
    limits.put("funnel, burst=2", List.of("algorithm=funnel", "burst=2"));
    limits.put("sliding-window-log", List.of("algorithm=sliding-window-log"));
    limits.put("sliding-window-counter", List.of("algorithm=sliding-window-counter"));
    limits.put(
        "funnel, burst=2, exceeded=delay",
        List.of("algorithm=funnel", "burst=2", "exceeded=delay"));
    limits.put(
        "sliding-window-log, block=12s", List.of("algorithm=sliding-window-log", "block=12s"));
    limits.put("calendar-window, quota=10/hour", List.of("quota=10/hour"));
    limits.put(
        "sliding-window-log, distinct=target, quota=3/10s, five targets in turn",
        List.of("algorithm=sliding-window-log", "distinct=target", "quota=3/10s"));
    limits.put(
        "bloom, key=userId,target, quota=1/10s, five targets in turn",
        List.of("algorithm=bloom", "key=userId,target", "quota=1/10s", "bloom.capacity=1000"));
    AlgorithmDrawing drawing = new AlgorithmDrawing(limits.size());
    limits.forEach(
        (title, settings) ->
            drawing.add(title, simulated(settings, scratch.resolve("" + title.hashCode()))));
    return drawing.svg();
  }

  /**
   * Returns arrival times: a trickle, a flood, a pause, and two bursts across the end of a
   * counter's period.
   */
  static List<Long> arrivalsMs() {
    List<Long> arrivals = new ArrayList<>();
    for (long ms = 1_000; ms <= 7_000; ms += 2_000) arrivals.add(ms);
    for (long ms = 9_000; ms <= 17_000; ms += 500) arrivals.add(ms);
    for (long ms = 28_000; ms < 29_200; ms += 100) arrivals.add(ms);
    for (long ms = 31_000; ms < 32_200; ms += 100) arrivals.add(ms);
    return arrivals;
  }

  /** Outcome of an arrival. A delayed event has the time at which it left. */
  record Fate(long arrivedMs, boolean rejected, boolean delayed, long leftMs) {}

  private static List<Fate> simulated(List<String> settings, Path folder) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("application.id", "picture");
    texts.put("bootstrap.servers", "localhost:9092");
    texts.put("sluice.limits", "n");
    texts.put("sluice.limit.n.quota", QUOTA);
    for (String setting : settings) {
      String[] keyAndText = setting.split("=", 2);
      texts.put("sluice.limit.n." + keyAndText[0], keyAndText[1]);
    }
    Fates fates = new Fates();
    try (Simulation simulation =
        Simulation.start(SluiceConfig.of(texts), SimulationRedis.none(), folder)) {
      fates.simulation = simulation;
      int sent = 0;
      for (long arrivedMs : arrivalsMs()) simulation.feed(event(arrivedMs, sent++), fates);
      while (simulation.delayed() > 0) simulation.runOn(fates);
    }
    return List.copyOf(fates.byOffset.values());
  }

  private static byte[] event(long arrivedMs, int number) {
    String json =
        "{\"userId\":\"ada\",\"action\":\"post\",\"target\":\"t%d\",\"occurredAt\":%d}"
            .formatted(number % TARGETS, START_MS + arrivedMs);
    return json.getBytes(StandardCharsets.UTF_8);
  }

  /** Collects the outcomes of a simulation's events. */
  private static final class Fates implements Simulation.Output {
    private final Map<Long, Fate> byOffset = new LinkedHashMap<>();
    private Simulation simulation;

    @Override
    public void verdict(SimulatedVerdict verdict) {
      long nowMs = simulation.now().toEpochMilli() - START_MS;
      Fate fate = new Fate(nowMs, verdict.isRejected(), verdict.isDelayed(), nowMs);
      byOffset.merge(
          verdict.number(),
          fate,
          (before, after) -> new Fate(before.arrivedMs(), false, true, after.leftMs()));
    }

    @Override
    public void notAnEvent(String why) {
      throw new IllegalStateException(why);
    }
  }
}
