package io.sluice.guarantees;

import io.sluice.guarantees.evidence.Diary;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.run.Remains;
import io.sluice.guarantees.run.Run;
import io.sluice.guarantees.run.ShowsNothingException;
import io.sluice.guarantees.scenario.Modes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command that makes one test run and checks every guarantee. Exit codes: 0 if all guarantees are
 * kept, 1 if one is broken, 3 if the run proves nothing because another program failed, 4 if a
 * required fault never happened.
 */
@Command(
    name = ".ci/guarantees",
    description = "Holds Sluice's guarantees against real processes while things go wrong.",
    mixinStandardHelpOptions = true)
final class Guarantees implements Callable<Integer> {
  private static final double MS_PER_MINUTE = 60_000;
  private static final int KEPT = 0;
  private static final int BROKEN = 1;
  private static final int SHOWS_NOTHING = 3;
  private static final int INCOMPLETE = 4;
  private static final String JUDGE_NEEDS_SEED = "--judge needs the --seed of the run";

  @Option(
      names = "--minutes",
      defaultValue = "5",
      description =
          "How long things go wrong (${DEFAULT-VALUE}), and until each fault has happened.")
  private double minutes;

  @Option(names = "--seed", description = "What goes wrong, and what is published; else by chance.")
  private Long seed;

  @Option(
      names = "--rate",
      defaultValue = "200",
      description = "Events a second (${DEFAULT-VALUE}).")
  private int rate;

  @Option(names = "--keep", description = "Keep data and logs even if nothing is broken.")
  private boolean keep;

  @Option(
      names = "--judge",
      paramLabel = "FOLDER",
      description = "Instead of a run: judges what one of this seed has left in FOLDER once more.")
  private Path remains;

  @Option(names = "--launcher", required = true, hidden = true)
  private Path launcher;

  @Spec private CommandSpec spec;

  public static void main(String[] args) {
    System.exit(new CommandLine(new Guarantees()).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Diary diary = new Diary(spec.commandLine().getOut());
    if (remains == null) return run(diary);
    if (seed == null) throw new ParameterException(spec.commandLine(), JUDGE_NEEDS_SEED);
    return judge(diary, Remains.of(remains, seed));
  }

  private int judge(Diary diary, History history) {
    Report report = new Report(diary);
    report.outcomes(history);
    boolean hadFaults = report.faults(history);
    if (!report.guarantees(history)) return BROKEN;
    return hadFaults ? KEPT : INCOMPLETE;
  }

  private int run(Diary diary) throws IOException, InterruptedException {
    long chosen = seed == null ? System.nanoTime() & 0xffff_ffffL : seed;
    String again =
        ".ci/guarantees --minutes %s --rate %d --seed %d".formatted(minutes, rate, chosen);
    diary.say("seed " + chosen);
    Modes modes = Modes.of(chosen);
    diary.say("modes: " + modes);
    Path folder = Files.createTempDirectory("sluice-guarantees-");
    int ended = BROKEN;
    try {
      Duration faults = Duration.ofMillis((long) (minutes * MS_PER_MINUTE));
      ended = judge(diary, new Run(diary, chosen, modes, faults, rate).run(folder, launcher));
      return ended;
    } catch (ShowsNothingException e) {
      diary.say("this run shows nothing of Sluice: " + e.getMessage());
      return SHOWS_NOTHING;
    } finally {
      if (ended == KEPT && !keep) remove(folder);
      if (ended != KEPT) {
        diary.say("");
        diary.say("seed " + chosen + "; once more: " + again);
        diary.say("data and logs: " + folder);
      }
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) Files.deleteIfExists(each);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
