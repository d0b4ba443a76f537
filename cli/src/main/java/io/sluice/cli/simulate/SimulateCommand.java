package io.sluice.cli.simulate;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.common.Progress;
import io.sluice.cli.common.Running;
import io.sluice.cli.common.TemporaryFolder;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.PlainText;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionStatus;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.simulation.Simulation;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command that applies the limits of a configuration to past events, and prints the verdicts. It
 * writes nothing to Kafka.
 */
@Command(
    name = "simulate",
    description =
        "Tries the limits on past events: reads them from a file or from the application's topics, and"
            + " prints one verdict per line, as JSON. The clock follows the times of the events: a"
            + " day takes seconds.",
    mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description =
          "The properties file. Without --since and --from, it needs no addresses of Kafka and Redis.")
  private Path file;

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description =
          "The Redis for limits on redis. By default a temporary Redis is started. The keys of the"
              + " simulation are removed at the end.")
  private String redisUri;

  @Option(names = "--strict", description = "Stop at the first line that is not an event.")
  private boolean strict;

  @Option(names = "--quiet", description = "Print no summary.")
  private boolean quiet;

  @Spec private CommandSpec spec;

  @Mixin private final SimulateInput input;

  private final OutputStream standardOutput;

  public SimulateCommand() {
    this(System.in, new FileOutputStream(FileDescriptor.out));
  }

  public SimulateCommand(InputStream standardInput, OutputStream standardOutput) {
    input = new SimulateInput(standardInput);
    this.standardOutput = standardOutput;
  }

  @Override
  public Integer call() throws IOException {
    quietLogs();
    SluiceConfig config = understood(() -> input.load(file, System.getenv()));
    List<LimitRevision> revisions = understood(() -> input.revisions(config));
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter chatter = quiet ? new PrintWriter(Writer.nullWriter()) : err;
    Running running = new Running();
    Runtime.getRuntime().addShutdownHook(new Thread(running::close, "sluice-exit"));
    try (running;
        SimulateInput.Opened opened = understood(() -> input.open(config, chatter))) {
      LimitsInForce limits = Simulation.limits(config, revisions);
      warnOfRefusals(limits, err);
      SimulationRedis redis = running.add(redis(limits, chatter, err));
      TemporaryFolder folder = running.add(TemporaryFolder.create("sluice-simulate-"));
      Simulation simulation = Simulation.start(config, limits, redis, folder.path());
      VerdictLines verdicts = new VerdictLines(standardOutput);
      SimulateRun run =
          running.add(new SimulateRun(simulation, verdicts, err, strict, new Progress(chatter)));
      Source source = opened.source(simulation, run, folder.path());
      if (run.take(source)) {
        run.summary().print(chatter, source.noun(), simulation.missingKeys());
        requireEvents(run.summary());
      }
    } catch (VerdictLines.OutputClosedException e) {
      // Normal end: the program that reads the output has closed the pipe.
    } catch (LimiterUnavailableException | SchemasUnavailableException e) {
      throw new CommandFailedException(e.getMessage(), e);
    }
    return 0;
  }

  /** Fails if the input has entries but none is an event, since it is probably the wrong file. */
  private static void requireEvents(SimulateSummary summary) {
    if (summary.events() > 0 || summary.badLines() == 0) return;
    throw new CommandFailedException("the input has no readable event");
  }

  /**
   * Turns off the log before its first line, except for errors of Sluice: the command prints
   * failures of Kafka itself, in one line.
   */
  private static void quietLogs() {
    System.getProperties().putIfAbsent("sluice.log.root", "off");
    System.getProperties().putIfAbsent("sluice.log.level", "error");
  }

  /**
   * Prints a warning for each revision (dated change of a limit) that is refused: as in a running
   * application, it has no effect.
   */
  private static void warnOfRefusals(LimitsInForce limits, PrintWriter err) {
    for (RevisionStatus each : limits.revisions(0)) {
      for (RevisionStatus.Refusal refusal : each.refusals()) {
        String id = PlainText.of(each.revision().id());
        String why = PlainText.message(refusal.reason());
        err.println("warning: revision " + id + " changes nothing: " + why);
      }
    }
  }

  private SimulationRedis redis(LimitsInForce limits, PrintWriter chatter, PrintWriter err) {
    if (!limits.ever().useRedis()) return SimulationRedis.none();
    if (redisUri == null) return SimulationRedis.embedded(chatter);
    try {
      return SimulationRedis.at(redisUri, err);
    } catch (IllegalArgumentException e) {
      throw misused("--redis: " + e.getMessage());
    }
  }

  /**
   * Evaluates command-line options, and turns an {@link IllegalArgumentException} into a usage
   * error.
   */
  private <T> T understood(Supplier<T> options) {
    try {
      return options.get();
    } catch (IllegalArgumentException e) {
      throw misused(e.getMessage());
    }
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
