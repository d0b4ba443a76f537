package io.sluice.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
    description = "Measures how fast Sluice is beside a topology that does nothing.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class BenchMain implements Callable<Integer> {
  private static final long QUICK_EVENTS = 100_000;

  @Option(names = "--rounds", paramLabel = "N", description = "How often each variant runs.")
  private int rounds = 5;

  @Option(names = "--events", paramLabel = "N", description = "Events in the input.")
  private long events = 1_000_000;

  @Option(names = "--quick", description = "One round of 100,000 events: whether it works.")
  private boolean quick;

  @Option(
      names = "--guarantee",
      paramLabel = "G",
      description = "exactly_once_v2 or at_least_once.")
  private String guarantee = "exactly_once_v2";

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only variants with this in their names, and pass-through.")
  private String only = "";

  @Option(names = "--out", paramLabel = "FOLDER", description = "Where results go.")
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
    PrintWriter err = spec.commandLine().getErr();
    Throughput.Plan plan =
        quick
            ? new Throughput.Plan(1, 0, QUICK_EVENTS, guarantee)
            : new Throughput.Plan(rounds, 1, events, guarantee);
    List<Variant> variants =
        Variants.all(plan.events()).stream()
            .filter(each -> each.name().contains(only) || each.name().equals(Variants.PASS_THROUGH))
            .toList();
    Path folder = Files.createTempDirectory("sluice-bench-");
    try (Laboratory laboratory = new Laboratory()) {
      Map<String, String> facts = Machine.facts(laboratory.redisVersion());
      facts.put("guarantee", guarantee);
      facts.put("events", "%,d, %d rounds".formatted(plan.events(), plan.rounds()));
      facts.forEach((name, fact) -> err.println(name + ": " + fact));
      Results results = new Throughput(laboratory, plan, variants, err, folder).run();
      report(facts, results);
    } finally {
      delete(folder);
    }
    return 0;
  }

  private void report(Map<String, String> facts, Results results) throws IOException {
    Files.createDirectories(out);
    List<String> lines = new ThroughputTables(results).lines();
    Files.write(out.resolve("throughput.md"), lines);
    Files.writeString(out.resolve("throughput.svg"), new Chart(results).svg());
    new JsonReport(facts, results).write(out.resolve("throughput.json"));
    PrintWriter print = spec.commandLine().getOut();
    print.println();
    lines.forEach(print::println);
    print.println();
    print.println("also in " + out.resolve("throughput.{md,svg,json}"));
    print.flush();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}
