package io.sluice.cli.redrive;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.common.PastSpan;
import io.sluice.cli.common.Progress;
import io.sluice.cli.common.Running;
import io.sluice.cli.limits.ClusterRevisions;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.runtime.cluster.PastRecords;
import io.sluice.runtime.cluster.RedriveSession;
import io.sluice.topology.config.SluiceConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Command that sends dead letters back to their input topics, each once. */
@Command(
    name = "redrive",
    description = {
      "Sends dead letters that this configuration can read back to their input topics, each once."
          + " First mend the configuration or the schema, and restart the application: otherwise it"
          + " makes them dead letters again. The other letters stay, and a later run finds them."
    },
    mixinStandardHelpOptions = true)
public final class RedriveCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The properties file of the application.")
  private Path file;

  @Option(
      names = "--since",
      paramLabel = "PERIOD|TIME",
      description =
          "Only letters with a timestamp in this last period, such as 24h, or since this time:"
              + " ISO-8601 with an offset.")
  private String since = "";

  @Option(
      names = "--reason",
      paramLabel = "REASON",
      split = ",",
      description = "Only letters with this sluice-error-reason, such as invalid-field.")
  private List<String> reasons = List.of();

  @Option(names = "--limit", paramLabel = "N", description = "Send at most N letters.")
  private long most = Long.MAX_VALUE;

  @Option(names = "--dry-run", description = "Send nothing: only count the letters.")
  private boolean dryRun;

  @Spec private CommandSpec spec;

  private final InstantSource clock = InstantSource.system();

  @Override
  public Integer call() {
    quietLogs();
    LetterFilter filter = filter();
    SluiceConfig config = SluiceConfig.load(file, System.getenv());
    LimitsInForce limits =
        LimitsInForce.of(config.limitsConfig()).with(ClusterRevisions.read(config));
    Running running = new Running();
    Runtime.getRuntime().addShutdownHook(new Thread(running::close, "sluice-exit"));
    try (running) {
      RedriveSession session = running.add(RedriveSession.open(config));
      LetterCheck check = new LetterCheck(config, limits, session.sizes(), session.inputs());
      RedriveRun.Sending sending = sending(session, running);
      try (PastRecords records = session.letters(filter.since())) {
        err().printf("Reading %,d offsets of %s%n", records.size(), config.topics().deadLetter());
        Selection letters = new Selection(filter, session, check, records);
        take(running.add(new RedriveRun(letters, sending, most, new Progress(err()))));
      }
    } catch (SchemasUnavailableException e) {
      throw new CommandFailedException(e.getMessage(), e);
    }
    return 0;
  }

  private LetterFilter filter() {
    try {
      if (most < 1) throw new IllegalArgumentException("--limit is at least 1: " + most);
      Instant begin =
          since.isEmpty() ? Instant.EPOCH : PastSpan.begin("--since", since, clock.instant());
      return LetterFilter.of(begin, reasons);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  private RedriveRun.Sending sending(RedriveSession session, Running running) {
    if (!dryRun) return running.add(session.openSender())::send;
    session.readSent();
    return letters -> Map.of();
  }

  /** Letters that the options select and no earlier run has sent. */
  private record Selection(
      LetterFilter filter, RedriveSession session, LetterCheck check, PastRecords records)
      implements RedriveRun.Letters {
    @Override
    public Optional<ConsumerRecord<byte[], byte[]>> next() {
      return records.next(() -> {});
    }

    @Override
    public long percent() {
      return records.passed() * 100 / Math.max(1, records.size());
    }

    @Override
    public boolean wants(ConsumerRecord<byte[], byte[]> letter) {
      return filter.wants(letter);
    }

    @Override
    public boolean isSent(ConsumerRecord<byte[], byte[]> letter) {
      return session.isSent(letter);
    }

    @Override
    public LetterFate fate(ConsumerRecord<byte[], byte[]> letter) {
      return check.of(letter);
    }
  }

  private void take(RedriveRun run) {
    try {
      if (run.take()) end(run);
    } catch (RuntimeException e) {
      long sent = run.result().sent();
      if (sent > 0 && !dryRun) {
        err().printf("%,d letters were sent before this failure, which stopped the run:%n", sent);
      }
      throw e;
    }
  }

  private void end(RedriveRun run) {
    PrintWriter out = spec.commandLine().getOut();
    run.result().print(out, dryRun);
    if (!run.isEnough()) return;
    out.println();
    out.println(
        "Stopped after --limit " + most + ": a further run goes on with the other letters.");
    out.flush();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /**
   * Turns off the log before its first line, except for errors of Sluice: the command prints
   * failures of Kafka itself, in one line.
   */
  private static void quietLogs() {
    System.getProperties().putIfAbsent("sluice.log.root", "off");
    System.getProperties().putIfAbsent("sluice.log.level", "error");
  }
}
