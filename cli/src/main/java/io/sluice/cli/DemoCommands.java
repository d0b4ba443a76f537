package io.sluice.cli;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.simulate.SimulateCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine;

/**
 * Commands that query, change and simulate the application of a demo, without printing their
 * results. They load the classes that {@code sluice archive} archives for faster starts.
 */
final class DemoCommands {
  private final PrintWriter err;

  /**
   * @param err receives the message of a command that fails
   */
  DemoCommands(PrintWriter err) {
    this.err = err;
  }

  /**
   * Runs each command once.
   *
   * @param settings of the running application
   * @param http address of its instance
   * @param folder receives a properties file
   */
  void run(Map<String, String> settings, URI http, Path folder) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("sluice.http.port", Integer.toString(http.getPort()));
    String config = "--config=" + write(all, folder.resolve("demo.properties"));
    String instance = "--http=" + http;
    String ada = "--for=userId=ada";
    for (List<String> each :
        List.of(
            List.of("limits", "set", "reply", "quota=10/60s", ada, config),
            List.of("limits", "history", config),
            List.of("ask", instance, ada),
            List.of("ask", config, ada, "--last=10m"),
            List.of("top", instance, "--once"),
            List.of("simulate", config, "--since=10m"))) {
      run(each);
    }
  }

  private static Path write(Map<String, String> settings, Path file) {
    Properties all = new Properties();
    all.putAll(settings);
    try (Writer out = Files.newBufferedWriter(file)) {
      all.store(out, null);
      return file;
    } catch (IOException e) {
      throw new CommandFailedException(file + " cannot be written: " + e.getMessage(), e);
    }
  }

  private void run(List<String> args) {
    StringWriter said = new StringWriter();
    CommandLine sluice = SluiceMain.commandLine(DemoCommands::withoutOutput);
    sluice.setOut(new PrintWriter(Writer.nullWriter())).setErr(new PrintWriter(said, true));
    if (sluice.execute(args.toArray(String[]::new)) != 0) {
      err.println(String.join(" ", args) + ": " + said);
    }
  }

  private static <K> K withoutOutput(Class<K> type) throws Exception {
    return type == SimulateCommand.class
        ? type.cast(
            new SimulateCommand(InputStream.nullInputStream(), OutputStream.nullOutputStream()))
        : CommandLine.defaultFactory().create(type);
  }
}
