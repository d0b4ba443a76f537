package io.sluice.cli;

import io.sluice.cli.simulate.SimulateCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs a page's {@code ./sluice simulate} and {@code ./sluice config} commands in this process. */
final class ManualCommands {
  private final Path folder;

  /** Exit code, and standard output and standard error as a terminal shows them. */
  record Result(int exitCode, List<String> printed) {}

  /**
   * @param folder contains the page's files; other files are found from the root of the repository
   */
  ManualCommands(Path folder) {
    this.folder = folder;
  }

  Result run(String line) throws IOException {
    String[] redirected = line.split(" > ", 2);
    List<String> args = new ArrayList<>(Arrays.asList(redirected[0].split(" +")));
    args.remove(0); // ./sluice
    args.replaceAll(this::found);
    ByteArrayOutputStream verdicts = new ByteArrayOutputStream();
    StringWriter text = new StringWriter();
    CommandLine sluice = SluiceMain.commandLine(simulatingTo(verdicts));
    PrintWriter writer = new PrintWriter(text, true);
    int exitCode = sluice.setOut(writer).setErr(writer).execute(args.toArray(new String[0]));
    String out = verdicts.toString(StandardCharsets.UTF_8);
    if (redirected.length > 1) Files.writeString(folder.resolve(redirected[1]), out);
    Stream<String> shown = redirected.length > 1 ? Stream.of() : out.lines();
    return new Result(exitCode, Stream.concat(shown, text.toString().lines()).toList());
  }

  private String found(String arg) {
    Path here = folder.resolve(arg);
    Path there = DocumentationTest.ROOT.resolve(arg);
    return Files.exists(here) ? here.toString() : Files.exists(there) ? there.toString() : arg;
  }

  private static CommandLine.IFactory simulatingTo(ByteArrayOutputStream out) {
    return new CommandLine.IFactory() {
      @Override
      public <K> K create(Class<K> type) throws Exception {
        return type == SimulateCommand.class
            ? type.cast(new SimulateCommand(InputStream.nullInputStream(), out))
            : CommandLine.defaultFactory().create(type);
      }
    };
  }

  /** Masks what differs between machines: durations and free ports. */
  static List<String> masked(List<String> lines) {
    return lines.stream()
        .map(line -> line.replaceAll("in [0-9.]+ s, [0-9,]+ a second", "in T s, N a second"))
        .map(line -> line.replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT"))
        .toList();
  }
}
