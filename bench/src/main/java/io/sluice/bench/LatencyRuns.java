package io.sluice.bench;

import static io.sluice.bench.SluiceApplication.onRedis;
import static io.sluice.bench.SluiceApplication.onStateStore;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/**
 * Measurements of how long an event takes from being published until somebody gets it from the
 * allowed topic.
 */
final class LatencyRuns {
  private static final List<Integer> RATES = List.of(1_000, 10_000);
  private static final List<String> GUARANTEES = List.of("at_least_once", "exactly_once_v2");

  /** Nobody is ever over it: what is rejected has no latency. */
  private static final String ENOUGH = "1000000/1s";

  private record Subject(String name, Application application) {}

  private static final List<Subject> SUBJECTS =
      List.of(
          new Subject(Job.PASS_THROUGH, PlainTopology.PASS_THROUGH),
          new Subject("state store, memory, funnel", enough(onStateStore("funnel", "memory"))),
          new Subject("state store, rocksdb, funnel", enough(onStateStore("funnel", "rocksdb"))),
          new Subject("Redis, funnel", enough(onRedis("funnel", false))),
          new Subject("Redis, log", enough(onRedis("sliding-window-log", false))));

  private final Laboratory laboratory;
  private final int warmUpSeconds;
  private final int seconds;
  private final String only;
  private final Map<String, String> further;
  private final PrintWriter progress;
  private final Path folder;
  private int runs;

  LatencyRuns(
      Laboratory laboratory,
      boolean quick,
      String only,
      Map<String, String> further,
      PrintWriter progress,
      Path folder) {
    this.laboratory = laboratory;
    warmUpSeconds = quick ? 1 : 5;
    seconds = quick ? 2 : 15;
    this.only = only;
    this.further = further;
    this.progress = progress;
    this.folder = folder;
  }

  private static Application enough(SluiceApplication application) {
    return application.withQuota(ENOUGH);
  }

  List<String> run() throws Exception {
    warmUp();
    MarkdownTable table =
        new MarkdownTable(
            "publish to allowed, ms", "guarantee", "events/s", "p50", "p99", "p99.9", "most");
    for (int rate : RATES) {
      for (String guarantee : GUARANTEES) {
        for (Subject each : subjects()) {
          Histogram micros = run(each, rate, guarantee);
          say("%s  %,d/s  %s  p50 %s ms", each.name(), rate, guarantee, millis(micros, 50));
          table.row(
              each.name(),
              guarantee,
              "%,d".formatted(rate),
              millis(micros, 50),
              millis(micros, 99),
              millis(micros, 99.9),
              millis(micros, 100));
        }
      }
    }
    return table.lines();
  }

  /*
   * For a minute and more the compilers of the broker and of what is measured want both cores of a
   * small machine: then the threads that carry events wait, and whoever comes first looks slow.
   */
  private void warmUp() throws Exception {
    for (String guarantee : GUARANTEES) {
      for (Subject each : subjects()) {
        say("warming up  %s  %s", each.name(), guarantee);
        run(each, Collections.max(RATES), guarantee);
      }
    }
  }

  private List<Subject> subjects() {
    return SUBJECTS.stream().filter(each -> each.name().contains(only)).toList();
  }

  private Histogram run(Subject subject, int rate, String guarantee) throws Exception {
    String id = "latency" + ++runs;
    Workplace at =
        new Workplace(
            id,
            laboratory.bootstrapServers(),
            laboratory.redis().uri(false),
            id + "-input",
            guarantee,
            further,
            Files.createDirectories(folder.resolve(id)).toString());
    for (String topic : List.of(at.input(), at.allowed(), at.rejected())) {
      laboratory.createTopic(topic, Map.of());
    }
    Histogram micros = measure(subject.application(), at, rate);
    laboratory.deleteTopics(id);
    laboratory.redis().empty(false);
    return micros;
  }

  private Histogram measure(Application application, Workplace at, int rate) throws Exception {
    long uncounted = (long) rate * warmUpSeconds;
    long events = uncounted + (long) rate * seconds;
    OpenLoop publisher = new OpenLoop(at.input(), rate, events);
    try (Arrivals arrivals = new Arrivals(at.bootstrapServers(), at.allowed());
        Application.Running running = application.start(at)) {
      new OpenLoop(at.input(), 1, 1).publish(at.bootstrapServers());
      arrivals.await(1, 1); // until it is running, nobody needs to queue up
      CompletableFuture<Void> published =
          CompletableFuture.runAsync(() -> publisher.publish(at.bootstrapServers()));
      Histogram micros = arrivals.await(events, uncounted);
      published.get();
      if (running.hasFailed()) throw new WrongResultException("the application has failed");
      return micros;
    }
  }

  private void say(String line, Object... about) {
    progress.printf(line + "%n", about);
    progress.flush();
  }

  private static String millis(Histogram micros, double percentile) {
    return String.format(Locale.ROOT, "%.1f", micros.getValueAtPercentile(percentile) / 1_000.0);
  }
}
