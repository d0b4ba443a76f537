package io.sluice.cli.ask;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.common.CommandFailedException;
import io.sluice.limiter.PlainText;
import io.sluice.server.ask.Report;
import io.sluice.server.web.JsonText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command that shows the keys with the most rejected, delayed or allowed events of the last
 * minutes, and refreshes the table every 2 seconds.
 */
@Command(
    name = "top",
    description = "Shows the most throttled keys over all instances, until Ctrl-C.",
    mixinStandardHelpOptions = true)
public final class TopCommand implements Callable<Integer> {
  private static final long EVERY_SECONDS = 2;
  private static final List<String> VERDICTS = List.of("rejected", "delayed", "allowed");

  /**
   * System property that the launcher script sets if standard output is a terminal, because Java
   * cannot detect this.
   */
  private static final String TERMINAL = "sluice.stdout.terminal";

  /** Control sequence that moves the cursor to the upper left corner and clears the screen. */
  private static final String CLEARED = "\033[H\033[J";

  @Mixin private final AskedInstance asked;

  @Option(
      names = "--limit",
      paramLabel = "LIMIT",
      defaultValue = "",
      description = "Only this limit. By default all limits.")
  private String limit;

  @Option(
      names = "--by",
      paramLabel = "VERDICT",
      defaultValue = "rejected",
      description =
          "Order by this verdict: rejected, delayed or allowed. By default ${DEFAULT-VALUE}.")
  private String by;

  @Option(names = "--once", description = "Show the table once and end, for scripts.")
  private boolean once;

  @Option(names = "--json", description = "Print one JSON object per line.")
  private boolean json;

  @Spec private CommandSpec spec;

  public TopCommand() {
    this(System.getenv());
  }

  /**
   * @param environment environment variables, which override the properties file, or contain the
   *     access token if there is no file
   */
  public TopCommand(Map<String, String> environment) {
    asked = new AskedInstance(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (!VERDICTS.contains(by)) {
      throw new ParameterException(
          spec.commandLine(), "--by=" + by + ": accepted are " + String.join(", ", VERDICTS));
    }
    Instance instance = asked.instance(asked.config());
    if (once) showOnce(instance);
    else watch(instance);
    return 0;
  }

  private void showOnce(Instance instance) {
    try {
      show(instance.top(by, limit), "");
    } catch (Instance.UnansweredException e) {
      throw new CommandFailedException(e.getMessage(), e);
    }
  }

  private void watch(Instance instance) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(ended::countDown, "sluice-exit"));
    String first = Boolean.getBoolean(TERMINAL) && !json ? CLEARED : "";
    do {
      try {
        show(instance.top(by, limit), first);
      } catch (Instance.UnansweredException e) {
        if (!e.isSilence()) throw new CommandFailedException(e.getMessage(), e);
        say(first + e.getMessage() + "; trying again");
      }
    } while (!ended.await(EVERY_SECONDS, TimeUnit.SECONDS));
  }

  private void show(JsonNode answer, String first) {
    if (json) {
      say(PlainText.json(answer.toString()));
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(first);
    try {
      TopTable.of(JsonText.read(answer.toString(), Report.class)).print(out);
    } catch (IllegalArgumentException e) {
      throw new CommandFailedException("the answer cannot be read: " + e.getMessage(), e);
    }
    out.flush();
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
