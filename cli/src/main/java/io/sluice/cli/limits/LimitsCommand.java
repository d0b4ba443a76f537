package io.sluice.cli.limits;

import io.sluice.live.change.ChangeSession;
import io.sluice.rules.event.Keys;
import io.sluice.topology.config.SluiceConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Commands that show and change limits while instances run. */
@Command(
    name = "limits",
    description = "Shows the limits that are in force, and changes them while instances run.",
    mixinStandardHelpOptions = true)
public final class LimitsCommand implements Callable<Integer> {
  private static final int DONE = 0;
  private static final int MISTAKEN = 2;
  private static final String UNTIL = "When the change ends: ISO-8601, now, or +10m from now.";
  private static final String PAUSED =
      "The name of the limit; '*' for all limits with exceeded=queue.";
  private static final String OF_ALL =
      "Only this limit. By default all limits; then --for is required.";

  @Option(
      names = "--config",
      required = true,
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "The properties file of the application.")
  private Path file;

  @Option(names = "--json", description = "Print a JSON object for each limit.")
  private boolean json;

  @Spec private CommandSpec spec;

  private final Clock clock;

  LimitsCommand() {
    this(Clock.systemUTC());
  }

  LimitsCommand(Clock clock) {
    this.clock = clock;
  }

  /** Shows the limits in force. */
  @Override
  public Integer call() {
    return with(
        session -> {
          Overview overview = new Overview(session);
          if (json) JsonLines.print(overview, out());
          else overview.print(out());
          out().flush();
          overview.warnings().forEach(new Terminal(out(), err())::warns);
        });
  }

  @Command(description = "Changes settings of a limit.", mixinStandardHelpOptions = true)
  int set(
      @Parameters(index = "0", paramLabel = "NAME", description = "The name of the limit.")
          String limit,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "SETTING=VALUE",
              description = "A setting as under sluice.limit.N., such as quota=10/60s.")
          List<String> settings,
      @Option(names = "--until", paramLabel = "TIME", description = UNTIL, defaultValue = "")
          String until,
      @Mixin ChangeOptions change) {
    return with(session -> change.of(session, until).set(limit, settings));
  }

  @Command(description = "Adds a limit.", mixinStandardHelpOptions = true)
  int add(
      @Parameters(index = "0", paramLabel = "NAME", description = "The name of the new limit.")
          String limit,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "SETTING=VALUE",
              description = "A setting as under sluice.limit.N., such as quota=10/60s.")
          List<String> settings,
      @Option(names = "--until", paramLabel = "TIME", description = UNTIL, defaultValue = "")
          String until,
      @Mixin ChangeOptions change) {
    return with(session -> change.of(session, until).add(limit, settings));
  }

  @Command(
      description = "Disables a limit; 'set NAME enabled=true' enables it again.",
      mixinStandardHelpOptions = true)
  int remove(
      @Parameters(paramLabel = "NAME", description = "The name of the limit.") String limit,
      @Option(names = "--until", paramLabel = "TIME", description = UNTIL, defaultValue = "")
          String until,
      @Mixin ChangeOptions change) {
    return with(session -> change.of(session, until).set(limit, List.of("enabled=false")));
  }

  @Command(description = "Rejects all events in scope.", mixinStandardHelpOptions = true)
  int block(
      @Option(names = "--limit", paramLabel = "NAME", description = OF_ALL, defaultValue = "*")
          String limit,
      @Option(names = "--until", paramLabel = "TIME", description = UNTIL, defaultValue = "")
          String until,
      @Mixin ChangeOptions change) {
    return with(session -> change.of(session, until).block(limit));
  }

  @Command(
      description = "Exempts all events in scope: they are not metered and not charged.",
      mixinStandardHelpOptions = true)
  int exempt(
      @Option(names = "--limit", paramLabel = "NAME", description = OF_ALL, defaultValue = "*")
          String limit,
      @Option(names = "--until", paramLabel = "TIME", description = UNTIL, defaultValue = "")
          String until,
      @Mixin ChangeOptions change) {
    return with(session -> change.of(session, until).exempt(limit));
  }

  @Command(
      description =
          "Pauses a limit with exceeded=queue: events in scope wait in line, and none leaves.",
      mixinStandardHelpOptions = true)
  int pause(
      @Parameters(paramLabel = "NAME", description = PAUSED) String limit,
      @Option(names = "--until", paramLabel = "TIME", description = UNTIL, defaultValue = "")
          String until,
      @Mixin ChangeOptions change) {
    return with(session -> change.of(session, until).pause(limit));
  }

  @Command(
      description = "Ends the pauses of a limit that were made for the same --for.",
      mixinStandardHelpOptions = true)
  int resume(
      @Parameters(paramLabel = "NAME", description = PAUSED) String limit,
      @Mixin ChangeOptions change) {
    return with(session -> change.of(session, "").resume(limit));
  }

  @Command(
      description = "Removes the changes in scope: restores the settings without them.",
      mixinStandardHelpOptions = true)
  int clear(
      @Parameters(
              arity = "0..*",
              paramLabel = "SETTING",
              description = "Only these settings. By default all settings.")
          List<String> settings,
      @Option(names = "--limit", paramLabel = "NAME", description = OF_ALL, defaultValue = "*")
          String limit,
      @Option(names = "--until", paramLabel = "TIME", description = UNTIL, defaultValue = "")
          String until,
      @Mixin ChangeOptions change) {
    List<String> names = settings == null ? List.of() : settings;
    return with(session -> change.of(session, until).clear(limit, names));
  }

  @Command(
      description = "Resets usage in scope, once: used permits become zero.",
      mixinStandardHelpOptions = true)
  int reset(
      @Option(names = "--limit", paramLabel = "NAME", description = OF_ALL, defaultValue = "*")
          String limit,
      @Mixin ChangeOptions change) {
    return with(session -> change.of(session, "").reset(limit));
  }

  @Command(description = "Changes a quota in steps.", mixinStandardHelpOptions = true)
  int ramp(
      @Parameters(paramLabel = "NAME", description = "The name of the limit.") String limit,
      @Mixin RampOptions ramp,
      @Mixin ChangeOptions change) {
    return with(session -> change.of(session, "").ramp(limit, ramp.steps()));
  }

  @Command(description = "Shows all revisions.", mixinStandardHelpOptions = true)
  int history(
      @Parameters(
              arity = "0..1",
              paramLabel = "NAME",
              defaultValue = "",
              description = "Only revisions of this limit, and of all limits (*).")
          String limit,
      @Mixin HistoryOptions options) {
    return with(session -> options.print(session, limit, out()));
  }

  @Command(
      description = "Ends revisions that are in force, and withdraws planned ones.",
      mixinStandardHelpOptions = true)
  int undo(
      @Parameters(
              arity = "1..*",
              paramLabel = "ID",
              description = "The id of a revision, or its beginning if no other id begins so.")
          List<String> ids,
      @Mixin Signature signature) {
    return with(session -> signature.of(session).undo(ids));
  }

  /**
   * Runs a subcommand and returns the exit code. Mistakes in the requested change are printed one
   * per line; in that case nothing was published.
   */
  private int with(Consumer<ChangeSession> work) {
    quietLogs();
    SluiceConfig config = SluiceConfig.load(file, System.getenv());
    if (!config.topics().hasLimits()) {
      err().println(Keys.LIMITS_LIVE + "=false: instances would not read a change");
      return MISTAKEN;
    }
    try (ChangeSession session =
        ChangeSession.open(
            config.limitsConfig(), config.limitsTopic(), clock, new Terminal(out(), err()))) {
      List<String> mistakes = ChangeSession.mistakesOf(() -> work.accept(session));
      mistakes.forEach(err()::println);
      return mistakes.isEmpty() ? DONE : MISTAKEN;
    } finally {
      out().flush();
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
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
