package io.sluice.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Runs {@code sluice redrive}, with a configuration file in a folder. */
public final class RedriveCli {
  private final Path file;

  /** Exit code and printed lines of a command. */
  public record Result(int exitCode, List<String> out, List<String> err) {}

  public RedriveCli(Path folder, Map<String, String> settings) {
    file = folder.resolve("redrive.properties");
    try {
      Files.write(
          file,
          settings.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the command in this process. */
  public Result run(String... options) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        SluiceMain.commandLine(CommandLine.defaultFactory())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args(options).toArray(new String[0]));
    return new Result(exitCode, out.toString().lines().toList(), err.toString().lines().toList());
  }

  /** Starts the command in a process of its own. */
  public Process start(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
    command.add(SluiceMain.class.getName());
    command.addAll(args(options));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private List<String> args(String... options) {
    List<String> args = new ArrayList<>(List.of("redrive", "--config", file.toString()));
    args.addAll(List.of(options));
    return args;
  }
}
