package io.sluice.cli;

import io.sluice.cli.ask.AskCommand;
import io.sluice.cli.ask.TopCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import picocli.CommandLine;

/**
 * Runs {@code sluice} in this process; {@code ask} and {@code top} see these environment variables.
 */
public record AskCli(Map<String, String> environment) {
  /** Exit code and output of a command. */
  public record Said(int code, String out, String err) {}

  public Said run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        SluiceMain.commandLine(commands())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new Said(code, out.toString(), err.toString());
  }

  private CommandLine.IFactory commands() {
    return new CommandLine.IFactory() {
      @Override
      public <K> K create(Class<K> type) throws Exception {
        if (type == AskCommand.class) return type.cast(new AskCommand(environment));
        if (type == TopCommand.class) return type.cast(new TopCommand(environment));
        return CommandLine.defaultFactory().create(type);
      }
    };
  }
}
