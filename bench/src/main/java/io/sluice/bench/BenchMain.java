package io.sluice.bench;

import io.sluice.bench.inprocess.InProcess;
import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.lab.Machine;
import io.sluice.bench.latency.AskedRuns;
import io.sluice.bench.latency.FixedLoads;
import io.sluice.bench.latency.LatencyRuns;
import io.sluice.bench.scale.Scale;
import io.sluice.bench.scale.ScalePlan;
import io.sluice.bench.scale.ScaleReport;
import io.sluice.bench.throughput.OtherBuild;
import io.sluice.bench.throughput.Throughput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Command {@code ./sluice bench}, which runs the benchmark. */
@Command(
    name = "sluice bench",
    description = "Measures how fast Sluice is, compared with a topology that does nothing.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class BenchMain implements Callable<Integer> {
  private static final long QUICK_EVENTS = 300_000;
  private static final int MOST_QUICKLY = 100_000;
  private static final int MOST_SCALED = 1_000_000_000;

  @Option(names = "--rounds", paramLabel = "N", description = "How often each variant runs.")
  private int rounds = 5;

  @Option(names = "--events", paramLabel = "N", description = "Events in the input.")
  private long events = 1_000_000;

  @Option(
      names = "--quick",
      description = "A first answer in two minutes: one round of 300,000 events, few variants.")
  private boolean quick;

  @Option(
      names = "--against",
      paramLabel = "CHECKOUT",
      description = "Compares with another build of Sluice, in turns.")
  private Path against;

  @Option(
      names = "--guarantee",
      paramLabel = "G",
      description = "exactly_once_v2 or at_least_once.")
  private String guarantee = "exactly_once_v2";

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description =
          "Only pass-through and variants in whose names this regular expression is found.")
  private Pattern only = Pattern.compile("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting for all variants, such as producer.batch.size=65536.")
  private Map<String, String> set = Map.of();

  @Option(names = "--jmh", description = "Measures one metering in process instead.")
  private boolean inProcess;

  @Option(
      names = "--latency",
      description = "Measures how long an event takes from being published to allowed instead.")
  private boolean latency;

  @Option(
      names = "--asked",
      description = "Measures what questions cost at 50,000 events a second instead.")
  private boolean asked;

  @Option(
      names = "--scale",
      description = "Measures more and more keys, delayed events and lines instead.")
  private boolean scale;

  @Option(
      names = "--most-keys",
      paramLabel = "N",
      description = "Keys in the last step of --scale.")
  private int mostKeys = 10_000_000;

  @Option(
      names = "--most-delayed",
      paramLabel = "N",
      description = "Delayed events in the last step of --scale.")
  private int mostDelayed = 5_000_000;

  @Option(
      names = "--most-lines",
      paramLabel = "N",
      description = "Lines with a waiting event in the last step of --scale.")
  private int mostLines = 1_000_000;

  @Option(names = "--out", paramLabel = "FOLDER", description = "The folder for results.")
  private Path out = Path.of("bench-results");

  @Spec private CommandSpec spec;

  private BenchMain() {}

  public static void main(String[] args) {
    // Client logs are reduced, because deleting and creating topics makes clients log warnings
    // about conditions from which they recover.
    System.setProperty("sluice.log.root", "fatal");
    System.setProperty("sluice.log.level", "error");
    System.exit(new CommandLine(new BenchMain()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (scale) checkScale();
    Files.createDirectories(out);
    if (against != null) {
      if (!Files.isExecutable(against.resolve("sluice"))) {
        throw new ParameterException(
            spec.commandLine(),
            "--against is " + against + ", which has no ./sluice: give a checkout");
      }
      PrintWriter progress = spec.commandLine().getErr();
      say("against", new OtherBuild(against, rounds, optionsOfBoth(), out, progress).run());
      return 0;
    }
    if (inProcess) {
      say("in-process", InProcess.run(quick, out, spec.commandLine().getErr()));
      return 0;
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("processing.guarantee", guarantee);
    settings.putAll(set);
    try (Laboratory laboratory = new Laboratory(spec.commandLine().getErr(), settings)) {
      Map<String, String> facts = Machine.facts(laboratory.redis().version());
      if (latency || asked) {
        introduce(facts);
        FixedLoads loads = new FixedLoads(laboratory, quick);
        if (latency) say("latency", new LatencyRuns(loads, only).run());
        else say("asked", new AskedRuns(loads, quick ? 1 : rounds).run());
      } else {
        facts.put("guarantee", guarantee);
        facts.putAll(set);
        if (scale) measureScale(laboratory, facts);
        else measureThroughput(laboratory, facts);
      }
    }
    return 0;
  }

  /** Returns the options of a round of this build and of the build that it is compared with. */
  private List<String> optionsOfBoth() {
    List<String> options =
        new ArrayList<>(
            List.of("--events", "" + events, "--guarantee", guarantee, "--only", only.pattern()));
    set.forEach((key, value) -> options.addAll(List.of("--set", key + "=" + value)));
    return options;
  }

  private void checkScale() {
    List<String> mistakes = new ArrayList<>();
    check(mistakes, "--most-keys", mostKeys);
    check(mistakes, "--most-delayed", mostDelayed);
    check(mistakes, "--most-lines", mostLines);
    check(mistakes, "--events", events);
    if (mistakes.isEmpty()) return;
    throw new ParameterException(spec.commandLine(), String.join(System.lineSeparator(), mistakes));
  }

  private static void check(List<String> mistakes, String option, long number) {
    if (number >= ScalePlan.LEAST && number <= MOST_SCALED) return;
    mistakes.add(
        "%s is %d; with --scale it must be a number from %d to %d"
            .formatted(option, number, ScalePlan.LEAST, MOST_SCALED));
  }

  private void measureScale(Laboratory laboratory, Map<String, String> facts) throws Exception {
    int measured = (int) (quick ? QUICK_EVENTS : events);
    int keys = quick ? Math.min(mostKeys, MOST_QUICKLY) : mostKeys;
    int delayed = quick ? Math.min(mostDelayed, MOST_QUICKLY) : mostDelayed;
    int lines = quick ? Math.min(mostLines, MOST_QUICKLY) : mostLines;
    introduce(facts);
    ScalePlan plan = ScalePlan.of(quick, keys, delayed, lines, measured);
    say("scale", new ScaleReport(facts, new Scale(laboratory, plan).run()).write(out));
  }

  private void measureThroughput(Laboratory laboratory, Map<String, String> facts)
      throws Exception {
    Throughput.Plan plan =
        quick ? new Throughput.Plan(1, 1, QUICK_EVENTS) : new Throughput.Plan(rounds, 1, events);
    facts.put("events", "%,d, %d rounds".formatted(plan.events(), plan.rounds()));
    introduce(facts);
    boolean headline = quick && only.pattern().isEmpty();
    Throughput throughput =
        headline ? Throughput.ofHeadline(laboratory, plan) : new Throughput(laboratory, plan, only);
    say("throughput", throughput.run(facts).write(out));
  }

  private void introduce(Map<String, String> facts) {
    PrintWriter err = spec.commandLine().getErr();
    facts.forEach((name, fact) -> err.println(name + ": " + fact));
    err.flush();
  }

  private void say(String name, List<String> lines) throws IOException {
    Files.write(out.resolve(name + ".md"), lines);
    PrintWriter print = spec.commandLine().getOut();
    print.println();
    lines.forEach(print::println);
    print.println();
    print.println("also in " + out);
    print.flush();
  }
}
