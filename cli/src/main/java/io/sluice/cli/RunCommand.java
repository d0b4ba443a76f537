package io.sluice.cli;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.common.EmbeddedServers;
import io.sluice.cli.common.Running;
import io.sluice.server.Sluice;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that runs one instance of Sluice until SIGTERM or Ctrl-C. */
@Command(
    name = "run",
    description = "Runs an instance until SIGTERM or Ctrl-C.",
    mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The properties file.")
  private Path file;

  @Option(
      names = "--embedded",
      description =
          "Also start Kafka on the port in the properties file, and Redis if a limit is on redis.")
  private boolean embedded;

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      description = "The path of a file that exists only while this instance meters events.")
  private Path readyFile;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Optional<ReadyFile> sign = Optional.ofNullable(readyFile).map(ReadyFile::absent);
    SluiceConfig config = SluiceConfig.load(file, System.getenv());
    ConfigReport.warnings(config)
        .forEach(warning -> spec.commandLine().getErr().println("warning: " + warning));
    Running running = new Running();
    running.closeOnExit();
    Optional<EmbeddedServers> servers = Optional.empty();
    try {
      if (embedded)
        servers = Optional.of(running.add(EmbeddedServers.startFor(config, this::tell)));
      if (embedded) tell("Starting Sluice ...");
      Sluice sluice = running.add(Sluice.start(config));
      if (sluice.awaitRunning()) {
        sign.ifPresent(ready -> running.add(ready).create());
        say(ready(config));
      }
      sluice.awaitEnd();
      if (!sluice.hasFailed()) return 0;
      String log = servers.map(EmbeddedServers::keptLog).orElse("");
      throw new CommandFailedException(sluice.failure().orElseThrow() + log);
    } finally {
      running.close();
    }
  }

  private static String ready(SluiceConfig config) {
    return "Sluice is ready: "
        + String.join(", ", config.inputTopics())
        + " is metered by "
        + config.limitNames().size()
        + (config.limitNames().size() == 1 ? " limit" : " limits")
        + " (Ctrl-C ends it)";
  }

  /** Prints a progress line on standard error, because standard output is for scripts. */
  private void tell(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
