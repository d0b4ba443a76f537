package io.sluice.cli;

import io.sluice.cli.simulate.SimulateCommand;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs {@code sluice simulate} in this process, with a configuration file in a folder. */
public final class SimulateCli {
  private final Path file;

  /** Exit code and printed lines of a command. */
  public record Result(int exitCode, List<String> out, List<String> err) {}

  public SimulateCli(Path folder, String... settings) {
    file = folder.resolve("simulate.properties");
    try {
      Files.write(file, List.of(settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs with {@code --quiet} on these lines of standard input. */
  public Result quietly(String... lines) {
    return run(String.join("\n", lines), "--quiet");
  }

  public Result run(String input, String... options) {
    return run(input.getBytes(StandardCharsets.UTF_8), new ByteArrayOutputStream(), options);
  }

  public Result run(byte[] input, OutputStream out, String... options) {
    return run(new ByteArrayInputStream(input), out, options);
  }

  public Result run(InputStream input, OutputStream out, String... options) {
    List<String> args = new ArrayList<>(List.of("simulate", "--config", file.toString()));
    args.addAll(List.of(options));
    StringWriter err = new StringWriter();
    CommandLine.IFactory commands =
        new CommandLine.IFactory() {
          @Override
          public <K> K create(Class<K> type) throws Exception {
            return type == SimulateCommand.class
                ? type.cast(new SimulateCommand(input, out))
                : CommandLine.defaultFactory().create(type);
          }
        };
    int exitCode =
        SluiceMain.commandLine(commands)
            .setErr(new PrintWriter(err, true))
            .execute(args.toArray(new String[0]));
    return new Result(exitCode, lines(out), err.toString().lines().toList());
  }

  private static List<String> lines(OutputStream out) {
    return out instanceof ByteArrayOutputStream bytes
        ? bytes.toString(StandardCharsets.UTF_8).lines().toList()
        : List.of();
  }
}
