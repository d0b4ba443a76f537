package io.sluice.bench.latency;

import static io.sluice.bench.apps.SluiceApplication.onRedis;
import static io.sluice.bench.apps.SluiceApplication.onStateStore;

import io.sluice.bench.apps.PlainTopology;
import io.sluice.bench.apps.SluiceApplication;
import io.sluice.bench.report.Figures;
import io.sluice.bench.report.MarkdownTable;
import io.sluice.bench.run.Application;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * Measures the latency from publishing an event to consuming it from the topic of allowed events.
 */
public final class LatencyRuns {
  private static final List<Integer> RATES = List.of(1_000, 10_000);
  private static final double NEAR_SATURATION = 0.7;
  private static final List<String> GUARANTEES = List.of("at_least_once", "exactly_once_v2");

  /** Quota that is never used up, because rejected events would have no latency. */
  private static final String ENOUGH = "1000000/1s";

  private record Subject(String name, Application application) {}

  private record Measured(String name, String guarantee, int rate, Histogram micros) {}

  private static final List<Subject> SUBJECTS =
      List.of(
          new Subject(PlainTopology.PASS_THROUGH_NAME, PlainTopology.PASS_THROUGH),
          new Subject("state store, memory, funnel", enough(onStateStore("funnel", "memory"))),
          new Subject("state store, rocksdb, funnel", enough(onStateStore("funnel", "rocksdb"))),
          new Subject("Redis, funnel", enough(onRedis("funnel", false))),
          new Subject("Redis, log", enough(onRedis("sliding-window-log", false))));

  private final FixedLoads loads;
  private final Pattern only;
  private int runs;

  public LatencyRuns(FixedLoads loads, Pattern only) {
    this.loads = loads;
    this.only = only;
  }

  private static Application enough(SluiceApplication application) {
    return application.withQuota(ENOUGH);
  }

  public List<String> run() throws Exception {
    warmUp();
    List<Measured> all = new ArrayList<>();
    for (int rate : RATES) {
      for (String guarantee : GUARANTEES) {
        for (Subject each : subjects()) {
          Histogram micros = run(each, rate, guarantee);
          say("%s  %,d/s  %s  p50 %s ms", each.name(), rate, guarantee, Figures.millis(micros, 50));
          all.add(new Measured(each.name(), guarantee, rate, micros));
        }
      }
    }
    for (Subject each : subjects()) all.add(nearSaturation(each));
    return new MarkdownTable<>(all)
        .text("publish to allowed, ms", Measured::name)
        .text("guarantee", Measured::guarantee)
        .figure("events/s", "%,.0f", Measured::rate)
        .text("p50", each -> Figures.millis(each.micros, 50))
        .text("p99", each -> Figures.millis(each.micros, 99))
        .text("p99.9", each -> Figures.millis(each.micros, 99.9))
        .text("most", each -> Figures.millis(each.micros, 100))
        .lines();
  }

  /** Measures a subject at 70 % of its own highest rate, exactly once. */
  private Measured nearSaturation(Subject subject) throws Exception {
    String guarantee = "exactly_once_v2";
    int most = loads.saturation("latency" + ++runs, subject.application(), guarantee);
    int rate = (int) (NEAR_SATURATION * most);
    Histogram micros = run(subject, rate, guarantee);
    say(
        "%s  %,d/s, 70 %% of %,d/s  p99 %s ms",
        subject.name(), rate, most, Figures.millis(micros, 99));
    return new Measured(subject.name() + ", at 70 %", guarantee, rate, micros);
  }

  /*
   * Warms up all subjects. For over a minute, the JIT compilers of the broker and the application
   * need both cores of a small machine; meanwhile the threads that process events wait, and the
   * first subject would look slow.
   */
  private void warmUp() throws Exception {
    for (String guarantee : GUARANTEES) {
      for (Subject each : subjects()) {
        say("warming up  %s  %s", each.name(), guarantee);
        run(each, Collections.max(RATES), guarantee);
      }
    }
  }

  /** Returns the selected subjects and pass-through, with which they are compared. */
  private List<Subject> subjects() {
    return SUBJECTS.stream()
        .filter(
            each ->
                each.name().equals(PlainTopology.PASS_THROUGH_NAME)
                    || only.matcher(each.name()).find())
        .toList();
  }

  private Histogram run(Subject subject, int rate, String guarantee) throws Exception {
    return loads.run("latency" + ++runs, subject.application(), rate, guarantee).micros();
  }

  private void say(String line, Object... about) {
    loads.laboratory().say(line, about);
  }
}
