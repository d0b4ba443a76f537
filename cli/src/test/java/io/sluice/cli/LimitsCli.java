package io.sluice.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;

/** Runs {@code sluice limits} in this process, with a configuration file in a folder. */
public final class LimitsCli {
  private final Path file;

  /** Exit code and printed lines of a command. */
  public record Result(int exitCode, List<String> out, List<String> err) {}

  public LimitsCli(Path folder, String... settings) {
    file = folder.resolve("limits.properties");
    try {
      Files.write(file, List.of(settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command; no argument may contain a blank. */
  public Result run(String command) {
    return run(command.isEmpty() ? new String[0] : command.split(" "));
  }

  public Result run(String... command) {
    return run(line -> {}, command);
  }

  /**
   * @param hearing receives each line as it is printed
   */
  public Result run(Consumer<String> hearing, String... command) {
    List<String> args = new ArrayList<>(List.of("limits"));
    args.addAll(Arrays.asList(command));
    args.addAll(List.of("--config", file.toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        SluiceMain.commandLine(CommandLine.defaultFactory())
            .setOut(heard(out, hearing))
            .setErr(new PrintWriter(err, true))
            .execute(args.toArray(new String[0]));
    return new Result(exitCode, out.toString().lines().toList(), err.toString().lines().toList());
  }

  private static PrintWriter heard(StringWriter out, Consumer<String> hearing) {
    return new PrintWriter(out, true) {
      @Override
      public void println(String line) {
        super.println(line);
        hearing.accept(line);
      }
    };
  }
}
