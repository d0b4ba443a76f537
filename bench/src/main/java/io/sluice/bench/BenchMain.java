package io.sluice.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code ./sluice bench} command. */
@Command(
    name = "sluice bench",
    description = "Measures how fast Sluice is, compared with a topology that does nothing.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class BenchMain implements Callable<Integer> {
  private static final long QUICK_EVENTS = 100_000;

  @Option(names = "--rounds", paramLabel = "N", description = "How often each variant runs.")
  private int rounds = 5;

  @Option(names = "--events", paramLabel = "N", description = "Events in the input.")
  private long events = 1_000_000;

  @Option(names = "--quick", description = "One round of 100,000 events, to see that it works.")
  private boolean quick;

  @Option(
      names = "--guarantee",
      paramLabel = "G",
      description = "exactly_once_v2 or at_least_once.")
  private String guarantee = "exactly_once_v2";

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description =
          "Only pass-through and variants with this text in their names, of which $ is the end.")
  private String only = "";

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

  @Option(names = "--out", paramLabel = "FOLDER", description = "The folder for results.")
  private Path out = Path.of("bench-results");

  @Spec private CommandSpec spec;

  private BenchMain() {}

  public static void main(String[] args) {
    // Topics that come and go make clients warn of what they then get over.
    System.setProperty("sluice.log.root", "fatal");
    System.setProperty("sluice.log.level", "error");
    System.exit(new CommandLine(new BenchMain()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    Files.createDirectories(out);
    if (inProcess) {
      say("in-process", InProcess.run(quick, out, spec.commandLine().getErr()));
      return 0;
    }
    Path folder = Files.createTempDirectory("sluice-bench-");
    try (Laboratory laboratory = new Laboratory()) {
      if (latency) measureLatency(laboratory, folder);
      else if (asked) measureAsked(laboratory, folder);
      else measureThroughput(laboratory, folder);
    } finally {
      delete(folder);
    }
    return 0;
  }

  private void measureLatency(Laboratory laboratory, Path folder) throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    introduce(Machine.facts(laboratory.redisVersion()));
    FixedLoads loads = new FixedLoads(laboratory, quick, set, folder);
    say("latency", new LatencyRuns(loads, only, err).run());
  }

  private void measureAsked(Laboratory laboratory, Path folder) throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    introduce(Machine.facts(laboratory.redisVersion()));
    FixedLoads loads = new FixedLoads(laboratory, quick, set, folder);
    int times = quick ? 1 : rounds;
    say("asked", new AskedRuns(loads, times, AskedRuns.PER_SECOND, err).run());
  }

  private void measureThroughput(Laboratory laboratory, Path folder) throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    Throughput.Plan plan =
        quick
            ? new Throughput.Plan(1, 0, QUICK_EVENTS, guarantee, set)
            : new Throughput.Plan(rounds, 1, events, guarantee, set);
    List<Variant> variants =
        Variants.all(plan.events()).stream()
            .filter(
                each ->
                    (each.name() + "$").contains(only) || each.name().equals(Variants.PASS_THROUGH))
            .toList();
    Map<String, String> facts = Machine.facts(laboratory.redisVersion());
    facts.put("guarantee", guarantee);
    facts.putAll(set);
    facts.put("events", "%,d, %d rounds".formatted(plan.events(), plan.rounds()));
    introduce(facts);
    Results results = new Throughput(laboratory, plan, variants, err, folder).run();
    List<String> answers = new ArrayList<>();
    for (Variant each : variants) {
      if (each.application() instanceof AskedSluice asked) answers.addAll(asked.lines());
    }
    report(facts, results, answers);
  }

  private void introduce(Map<String, String> facts) {
    PrintWriter err = spec.commandLine().getErr();
    facts.forEach((name, fact) -> err.println(name + ": " + fact));
    err.flush();
  }

  /**
   * @param answers a table of how long they took; empty if nobody asked
   */
  private void report(Map<String, String> facts, Results results, List<String> answers)
      throws IOException {
    Files.writeString(out.resolve("throughput.svg"), new Chart(results).svg());
    new JsonReport(facts, results).write(out.resolve("throughput.json"));
    List<String> lines = new ArrayList<>(new ThroughputTables(results).lines());
    if (!answers.isEmpty()) lines.add("");
    lines.addAll(answers);
    say("throughput", lines);
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

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}
