package io.sluice.cli.simulate;

import io.sluice.cli.common.PastSpan;
import io.sluice.cli.limits.ClusterRevisions;
import io.sluice.cli.limits.RevisionFile;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.runtime.cluster.PastRecords;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.simulation.Simulation;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * Command-line options for the input of a simulation: an event file, or the input topics of the
 * configuration.
 */
final class SimulateInput {
  private static final long MOST_BYTES_TO_SORT = 1 << 26;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description = {
        "The file of events: lines of JSON, lines of 'kcat -J', or Avro. By default standard input."
      })
  private Path file;

  @Option(
      names = "--sort",
      description = "Sort the file by the times of the events first. Equal times keep their order.")
  private boolean sorts;

  @Option(
      names = "--since",
      paramLabel = "PERIOD",
      description = "Read the last period, such as 24h, of the input topics instead of a file.")
  private String since;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Read the input topics from this time: ISO-8601 with an offset, or -2h, two hours ago.")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description =
          "Read the topics up to this time. By default up to the last record at the start.")
  private String to;

  @Option(
      names = "--limits",
      paramLabel = "FILE",
      description =
          "A file of revisions, one JSON object per line. Each takes effect at its effectiveAt."
              + " With --since or --from, they are added to the revisions of the cluster.")
  private Path revisions;

  private final InputStream standardInput;
  private final InstantSource clock = InstantSource.system();

  SimulateInput(InputStream standardInput) {
    this.standardInput = standardInput;
  }

  /** Opened input of a simulation: a file or Kafka topics. */
  interface Opened extends AutoCloseable {
    /**
     * Returns the events of the input.
     *
     * @param folder folder for temporary files
     */
    Source source(Simulation simulation, SimulateRun run, Path folder) throws IOException;

    @Override
    void close() throws IOException;
  }

  private boolean isCluster() {
    return since != null || from != null || to != null;
  }

  /**
   * Loads the configuration. Input from Kafka topics needs all settings; input from a file needs no
   * addresses.
   *
   * @throws IllegalArgumentException if the options for the input contradict each other
   */
  SluiceConfig load(Path config, Map<String, String> environment) {
    if (!isCluster()) return SluiceConfig.loadForSimulation(config, environment);
    if (file != null) {
      throw new IllegalArgumentException(
          "--input reads a file, and --since, --from and --to read topics: give one of them");
    }
    if (sorts) {
      throw new IllegalArgumentException(
          "--sort only applies to files: topics are always read in the order of the events' times");
    }
    span();
    return SluiceConfig.load(config, environment);
  }

  /**
   * Returns the revisions (dated changes) of limits: those of the limits topic if events come from
   * Kafka, followed by those of the file in {@code --limits}.
   *
   * @throws IllegalArgumentException if the file cannot be read, or a line is not a revision
   */
  List<LimitRevision> revisions(SluiceConfig config) {
    List<LimitRevision> all = new ArrayList<>();
    List<LimitRevision> file = revisions == null ? List.of() : RevisionFile.read(revisions);
    if (isCluster()) all.addAll(ClusterRevisions.read(config));
    all.addAll(file);
    return all;
  }

  private PastSpan span() {
    return PastSpan.of(since, from, to, clock.instant());
  }

  /**
   * Opens the event file, standard input or the topics.
   *
   * @throws IllegalArgumentException if the file cannot be read
   */
  Opened open(SluiceConfig config, PrintWriter chatter) {
    return isCluster() ? topics(config, chatter) : new OfFile(file());
  }

  private Opened topics(SluiceConfig config, PrintWriter chatter) {
    PastSpan span = span();
    PastRecords records = PastRecords.open(config, span.from(), span.to(), clock.instant());
    chatter.printf(
        "Reading %,d offsets of %s, from %s on%n",
        records.size(),
        String.join(", ", config.inputTopics()),
        span.from().truncatedTo(ChronoUnit.SECONDS));
    return new OfTopics(records);
  }

  private InputStream file() {
    if (file == null) return standardInput;
    if (!Files.exists(file)) throw new IllegalArgumentException(file + ": no such file");
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(file + ": a folder, not a file of events");
    }
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read", e);
    }
  }

  private record OfTopics(PastRecords records) implements Opened {
    @Override
    public Source source(Simulation simulation, SimulateRun run, Path folder) {
      return new ClusterSource(records, run::flush);
    }

    @Override
    public void close() {
      records.close();
    }
  }

  private final class OfFile implements Opened {
    private final InputStream in;

    OfFile(InputStream in) {
      this.in = in;
    }

    @Override
    public Source source(Simulation simulation, SimulateRun run, Path folder) throws IOException {
      Entries entries = FileInput.open(in, run::flush);
      if (!sorts) return new FileSource(entries);
      long mostBytes = Math.min(MOST_BYTES_TO_SORT, Runtime.getRuntime().maxMemory() / 8);
      return new FileSource(
          new SortedEntries(
              entries,
              (at, bytes) -> FileSource.timeOf(at, bytes, simulation),
              folder,
              mostBytes,
              run::showRead));
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
