package io.sluice.cli;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.simulation.Simulation;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command that says what a configuration would have done to events in a file, without Kafka.
 */
@Command(
    name = "simulate",
    description =
        "Tries the limits on past events: reads events as JSON, one per line, and prints one verdict"
            + " per line, as JSON. The clock follows the times of the events: a day takes seconds.",
    mixinStandardHelpOptions = true)
final class SimulateCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The properties file. The addresses of Kafka and Redis are optional.")
  private Path file;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description = "The file of events. By default standard input.")
  private Path input;

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description = "The Redis for limits on Redis. Its new keys are removed at the end.")
  private String redisUri;

  @Option(names = "--strict", description = "Stop at the first line that is not an event.")
  private boolean strict;

  @Option(names = "--quiet", description = "Print no summary.")
  private boolean quiet;

  @Spec private CommandSpec spec;

  private final InputStream standardInput;
  private final OutputStream standardOutput;

  SimulateCommand() {
    this(System.in, new FileOutputStream(FileDescriptor.out));
  }

  SimulateCommand(InputStream standardInput, OutputStream standardOutput) {
    this.standardInput = standardInput;
    this.standardOutput = standardOutput;
  }

  @Override
  public Integer call() throws IOException {
    quietLogs();
    SluiceConfig config = SluiceConfig.loadForSimulation(file, System.getenv());
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter chatter = quiet ? new PrintWriter(Writer.nullWriter()) : err;
    Running running = new Running();
    Runtime.getRuntime().addShutdownHook(new Thread(running::close, "sluice-exit"));
    try (running;
        InputStream events = open()) {
      SimulationRedis redis = running.add(redis(config, chatter, err));
      TemporaryFolder folder = running.add(TemporaryFolder.create("sluice-simulate-"));
      Simulation simulation = Simulation.start(config, redis, folder.path());
      VerdictLines verdicts = new VerdictLines(standardOutput);
      SimulateRun run =
          running.add(new SimulateRun(simulation, verdicts, err, strict, new Progress(chatter)));
      if (run.take(events)) end(run.summary(), chatter);
    } catch (VerdictLines.NobodyReadsException e) {
      // As with any command whose output is cut off by the next one.
    } catch (LimiterUnavailableException e) {
      throw new CommandFailedException(e.getMessage(), e);
    }
    return 0;
  }

  /** Input of which nothing is an event is another file than was meant; no input at all is fine. */
  private static void end(SimulateSummary summary, PrintWriter chatter) {
    summary.print(chatter);
    if (summary.events() > 0 || summary.badLines() == 0) return;
    throw new CommandFailedException("nothing in the input is an event");
  }

  /** Before anything logs. What Kafka would say, the command says itself, in one line. */
  private static void quietLogs() {
    System.getProperties().putIfAbsent("sluice.log.root", "off");
    System.getProperties().putIfAbsent("sluice.log.level", "error");
  }

  private InputStream open() {
    if (input == null) return standardInput;
    if (!Files.exists(input)) throw misused(input + ": no such file");
    if (Files.isDirectory(input)) throw misused(input + ": a folder, not a file of events");
    try {
      return Files.newInputStream(input);
    } catch (IOException e) {
      throw misused(input + ": cannot be read");
    }
  }

  private SimulationRedis redis(SluiceConfig config, PrintWriter chatter, PrintWriter err) {
    if (!config.usesRedis()) return SimulationRedis.none();
    if (redisUri == null) return SimulationRedis.embedded(chatter);
    try {
      return SimulationRedis.at(redisUri, err);
    } catch (IllegalArgumentException e) {
      throw misused("--redis: " + e.getMessage());
    }
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
