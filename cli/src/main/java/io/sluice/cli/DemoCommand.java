package io.sluice.cli;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.common.EmbeddedServers;
import io.sluice.cli.common.Running;
import io.sluice.cli.common.TemporaryFolder;
import io.sluice.rules.StartException;
import io.sluice.server.Sluice;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Command that demonstrates Sluice on one machine: starts a Kafka broker, Redis and an instance,
 * publishes events and prints their verdicts.
 */
@Command(
    name = "demo",
    description = "Starts Kafka and Redis on this machine, and shows verdicts on events.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  @Option(names = "--keep", description = "Keep all servers running, and print commands to try.")
  private boolean keep;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The broker's port. By default a free port.")
  private int port;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "The port for the page and metrics. By default a free port.")
  private int httpPort;

  @Option(
      names = "--commands",
      hidden = true,
      description =
          "Also run the commands for operators, so that 'sluice archive' has their classes.")
  private boolean commands;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    quietLogs();
    PrintWriter out = spec.commandLine().getOut();
    try (Running running = new Running()) {
      running.closeOnExit();
      say(out, "Starting Kafka and Redis on this machine ...");
      EmbeddedServers servers = running.add(EmbeddedServers.start(port));
      say(out, "Kafka is at " + servers.bootstrapServers() + ", Redis at " + servers.redisUri());
      return run(out, running, servers);
    }
  }

  /**
   * Reduces the log before its first line to errors, and to warnings of Sluice, because the demo
   * prints its own output.
   */
  private static void quietLogs() {
    System.getProperties().putIfAbsent("sluice.log.root", "error");
    System.getProperties().putIfAbsent("sluice.log.level", "warn");
  }

  private int run(PrintWriter out, Running running, EmbeddedServers servers)
      throws InterruptedException {
    try {
      TemporaryFolder state = running.add(TemporaryFolder.create("sluice-demo-"));
      Map<String, String> settings =
          SluiceConfig.exampleSettings(settings(servers, state.path(), httpPort));
      SluiceConfig config = SluiceConfig.of(settings);
      Sluice sluice = running.add(Sluice.start(config));
      sluice.awaitRunning();
      out.print(ConfigReport.summary(config));
      boolean addsUp = show(out, config, servers.bootstrapServers());
      if (!addsUp) throw new CommandFailedException("some events have no verdict");
      if (commands) tryCommands(running, settings, sluice);
      if (keep) {
        running.add(DemoUsers.start(servers.bootstrapServers(), config.inputTopics().get(0)));
        stay(out, config, servers, sluice);
      }
      return 0;
    } catch (CommandFailedException | StartException e) {
      throw new CommandFailedException(e.getMessage() + servers.keptLog(), e);
    }
  }

  private void tryCommands(Running running, Map<String, String> settings, Sluice sluice) {
    TemporaryFolder folder = running.add(TemporaryFolder.create("sluice-commands-"));
    new DemoCommands(spec.commandLine().getErr())
        .run(settings, sluice.httpAddress().orElseThrow(), folder.path());
  }

  private static Map<String, String> settings(EmbeddedServers servers, Path state, int httpPort) {
    return Map.of(
        "bootstrap.servers", servers.bootstrapServers(),
        "application.id", "sluice-demo",
        "state.dir", state.toString(),
        "sluice.redis.uri", servers.redisUri(),
        "sluice.http.port", Integer.toString(httpPort),
        "sluice.http.write", "true"); // safe without a token: only this machine can connect
  }

  private static boolean show(PrintWriter out, SluiceConfig config, String bootstrapServers) {
    DemoClient client = new DemoClient(bootstrapServers);
    long nowMs = InstantSource.system().millis();
    // The requests of the web log are from 2015. They come first because the event-time clock of a
    // partition never goes back.
    List<DemoTraffic.Message> all = new ArrayList<>(DemoTraffic.requests());
    say(out, "Publishing " + all.size() + " requests from a real web log,");
    say(out, "  then " + DemoTraffic.REPLIES + " replies of one user at once,");
    say(out, "  then " + DemoTraffic.POSTS + " posts of another ...");
    all.addAll(DemoTraffic.replies(nowMs));
    all.addAll(DemoTraffic.posts(nowMs));
    client.awaitTopics();
    client.publish(config.inputTopics().get(0), all);

    DemoReport report = new DemoReport(out, client.verdicts(config.outputTopics(), all.size()));
    report.print(all.size());
    return report.addsUp(all.size());
  }

  private static void stay(
      PrintWriter out, SluiceConfig config, EmbeddedServers servers, Sluice sluice)
      throws InterruptedException {
    String at = "kcat -b " + servers.bootstrapServers();
    String format = " -f '%k %h %s\\n'";
    say(out, "");
    say(out, "All servers are still running; Ctrl-C ends them. Publish events, one per line:");
    say(
        out,
        "  echo 'eve:{\"userId\":\"eve\",\"action\":\"reply\"}' | "
            + at
            + " -P -t "
            + config.inputTopics().get(0)
            + " -K :");
    say(out, "Read the verdicts, with the headers that explain them:");
    for (String topic : config.outputTopics())
      say(out, "  " + at + " -C -t " + topic + format + " -e");
    sluice
        .httpAddress()
        .ifPresent(
            uri -> {
              say(out, "Watch simulated users, and change limits: " + uri + "/");
              say(out, "Metrics: " + uri + "/metrics");
            });
    sluice.awaitEnd();
  }

  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
