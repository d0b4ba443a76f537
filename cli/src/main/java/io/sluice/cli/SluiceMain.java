package io.sluice.cli;

import io.sluice.cli.ask.AskCommand;
import io.sluice.cli.ask.CancelCommand;
import io.sluice.cli.ask.TopCommand;
import io.sluice.cli.ask.WaitingCommand;
import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.limits.LimitsCommand;
import io.sluice.cli.redrive.RedriveCommand;
import io.sluice.cli.simulate.SimulateCommand;
import io.sluice.limiter.PlainText;
import io.sluice.rules.StartException;
import io.sluice.rules.settings.ConfigurationException;
import io.sluice.server.Sluice;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code sluice}. Exit codes: 0 for success, 1 for a failure while running, 2 for wrong
 * usage or configuration.
 */
@Command(
    name = "sluice",
    description = "Limits the rate of user actions, on Kafka Streams.",
    mixinStandardHelpOptions = true,
    versionProvider = SluiceMain.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "In a checkout, './sluice bench' measures the throughput."})
public final class SluiceMain implements Runnable {
  static final int FAILED = 1;
  static final int MISUSED = 2;

  /** Subcommands, in the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          RunCommand.class,
          LimitsCommand.class,
          AskCommand.class,
          TopCommand.class,
          WaitingCommand.class,
          CancelCommand.class,
          SimulateCommand.class,
          RedriveCommand.class,
          ConfigCommand.class);

  /** Reads the version only when {@code --version} is given. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"sluice " + Sluice.version()};
    }
  }

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private SluiceMain() {}

  public static void main(String[] args) {
    // Set before the first log line: threads of an embedded broker inherit the Log4j thread
    // context, by which their lines go to the broker's log file.
    System.getProperties().putIfAbsent("log4j2.isThreadContextMapInheritable", "true");
    CommandLine line = commandLine(CommandLine.defaultFactory(), needed(args));
    try {
      System.exit(line.execute(args));
    } catch (OutOfMemoryError e) {
      System.err.println("out of memory; give it more, such as SLUICE_JAVA_OPTS=-Xmx2g");
      System.exit(FAILED);
    }
  }

  /**
   * Returns the subcommand that the first argument names, since reading the options of all takes
   * longer than some of them run; otherwise all, for the help and the message on a mistake.
   */
  private static List<Class<?>> needed(String[] args) {
    for (Class<?> each : COMMANDS) {
      if (args.length > 0 && each.getAnnotation(Command.class).name().equals(args[0])) {
        return List.of(each);
      }
    }
    return COMMANDS;
  }

  /**
   * Creates the command line with all subcommands.
   *
   * @param factory creates the objects of the subcommands
   */
  static CommandLine commandLine(CommandLine.IFactory factory) {
    return commandLine(factory, COMMANDS);
  }

  private static CommandLine commandLine(CommandLine.IFactory factory, List<Class<?>> commands) {
    CommandLine line = new CommandLine(new SluiceMain(), factory);
    commands.forEach(line::addSubcommand);
    return line.setParameterExceptionHandler(SluiceMain::misused)
        .setExecutionExceptionHandler(failed());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private static int misused(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String hint = meant(e).map(meant -> "; did you mean '" + meant + "'?").orElse("");
    say(e.getMessage() + hint + "; see '" + name(command) + " --help'", command);
    return MISUSED;
  }

  /**
   * Returns the arguments that were probably meant: a file with its option, if it was given
   * without, or the command or option that is spelled like the given one.
   */
  private static Optional<String> meant(ParameterException e) {
    CommandLine command = e.getCommandLine();
    Optional<String> file =
        command.getUnmatchedArguments().stream()
            .filter(each -> Files.isRegularFile(Path.of(each)))
            .findFirst();
    for (String option : List.of("--config", "--check")) {
      OptionSpec spec = command.getCommandSpec().findOption(option);
      boolean isMissing = spec != null && !command.getParseResult().hasMatchedOption(spec);
      if (file.isPresent() && isMissing) return Optional.of(option + " " + file.get());
    }
    return e instanceof UnmatchedArgumentException unmatched
        ? unmatched.getSuggestions().stream().findFirst()
        : Optional.empty();
  }

  /** Prints a message, cleaned of control characters, since it may quote untrusted text. */
  private static void say(String lines, CommandLine command) {
    lines.lines().map(PlainText::message).forEach(command.getErr()::println);
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private static IExecutionExceptionHandler failed() {
    return (e, command, parsed) -> {
      if (e instanceof ConfigurationException configuration) {
        configuration.mistakes().forEach(command.getErr()::println);
        return MISUSED;
      }
      if (!(e instanceof StartException || e instanceof CommandFailedException)) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        say(trace.toString(), command);
      }
      say(String.valueOf(e.getMessage()), command);
      return FAILED;
    };
  }
}
