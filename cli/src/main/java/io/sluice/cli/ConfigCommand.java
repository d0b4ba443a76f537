package io.sluice.cli;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
final class ConfigCommand implements Callable<Integer> {
  @Option(names = "--check", paramLabel = "FILE", description = "The properties file to check.")
  private Path check;

  @Option(
      names = "--event",
      paramLabel = "FILE",
      description =
          "With --check: a sample event, or one in each line; - is the standard input. Shows how the"
              + " configuration reads it, and which limits apply. A line may be of kcat -J.")
  private Path event;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "The input topic of the sample event. By default the first one.")
  private String topic = "";

  @Option(names = "--key", paramLabel = "KEY", description = "The record key of the sample event.")
  private String key;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "A header of the sample event; several are possible.")
  private Map<String, String> headers = Map.of();

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
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    boolean isRead = true;
    if (check != null) isRead = check(out);
    else if (event != null)
      throw new ParameterException(
          spec.commandLine(), "--event needs --check, the properties file");
    else out.print(markdown ? ConfigReport.referenceMarkdown() : ConfigReport.referenceText());
    out.flush();
    return isRead ? 0 : 1;
  }

  private boolean check(PrintWriter out) {
    SluiceConfig config = SluiceConfig.load(check, environment);
    boolean isRead = true;
    if (event == null) out.print(ConfigReport.summary(config));
    else isRead = readsEvent(config, out);
    ConfigReport.warnings(config)
        .forEach(warning -> spec.commandLine().getErr().println("warning: " + warning));
    return isRead;
  }

  private boolean readsEvent(SluiceConfig config, PrintWriter out) {
    EventCheck reader = new EventCheck(config, out);
    try {
      return reader.report(
          reader.read(event, System.in, new EventCheck.Parts(topic, key, headers)));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    } catch (SchemasUnavailableException e) {
      throw new CommandFailedException(e.getMessage(), e);
    }
  }
}
