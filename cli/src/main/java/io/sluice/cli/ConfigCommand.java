package io.sluice.cli;

import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Command that prints the configuration reference, or checks a configuration file and explains what
 * it does.
 */
@Command(
    name = "config",
    description =
        "Prints all settings with their defaults, or checks a file and explains what it does.",
    mixinStandardHelpOptions = true)
final class ConfigCommand implements Runnable {
  @Option(names = "--check", paramLabel = "FILE", description = "The properties file to check.")
  private Path check;

  @Option(names = "--markdown", description = "Print the settings as Markdown, as in the manual.")
  private boolean markdown;

  @Spec private CommandSpec spec;

  private final Map<String, String> environment;

  ConfigCommand() {
    this(System.getenv());
  }

  ConfigCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public void run() {
    var out = spec.commandLine().getOut();
    if (check == null) {
      out.print(markdown ? ConfigReport.referenceMarkdown() : ConfigReport.referenceText());
    } else {
      SluiceConfig config = SluiceConfig.load(check, environment);
      out.print(ConfigReport.summary(config));
      ConfigReport.warnings(config)
          .forEach(warning -> spec.commandLine().getErr().println("warning: " + warning));
    }
    out.flush();
  }
}
