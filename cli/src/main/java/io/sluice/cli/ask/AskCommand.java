package io.sluice.cli.ask;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.limiter.PlainText;
import io.sluice.topology.config.SluiceConfig;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Command that asks a running instance how many permits a key has left under each limit, or shows
 * how one record of the application's topics is read.
 */
@Command(
    name = "ask",
    description = {
      "Shows the remaining permits of a user (--for), or how one record is read (--record). Asking"
          + " changes no count."
    },
    mixinStandardHelpOptions = true)
public final class AskCommand implements Callable<Integer> {
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int MISTAKEN = 2;

  /** Options that do not apply to one record. */
  private static final List<String> OF_A_KEY =
      List.of("--for", "--limit", "--http", "--json", "--most", "--keyed");

  @Mixin private final AskedInstance asked;

  @Mixin private final LastOptions last = new LastOptions();

  @Option(
      names = "--for",
      paramLabel = "FIELD=VALUE",
      description =
          "The user or other key, such as userId=ada. Repeat it for each field of the limit's key.")
  private List<String> values = List.of();

  @Option(
      names = "--limit",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Only this limit. By default all limits whose key has these fields.")
  private String limit;

  @Option(
      names = "--record",
      paramLabel = "TOPIC-PARTITION-OFFSET",
      description =
          "Instead of a user: show how this record of an input topic, or this dead letter, is read,"
              + " and which limits apply to it. Needs --config.")
  private String record = "";

  @Option(names = "--json", description = "Print a JSON object for each limit, and for each event.")
  private boolean json;

  @Spec private CommandSpec spec;

  private final InstantSource clock = InstantSource.system();

  public AskCommand() {
    this(System.getenv());
  }

  /**
   * @param environment environment variables, which override the properties file, or contain the
   *     access token if there is no file
   */
  public AskCommand(Map<String, String> environment) {
    asked = new AskedInstance(environment);
  }

  @Override
  public Integer call() {
    System.getProperties().putIfAbsent("sluice.log.root", "off");
    System.getProperties().putIfAbsent("sluice.log.level", "error");
    Optional<SluiceConfig> config = asked.config();
    if (!record.isEmpty()) return showRecord(config);
    if (values.isEmpty()) throw asked.misused("Missing required option: '--for=FIELD=VALUE'");
    Instance instance = asked.instance(config);
    try {
      Map<String, String> key = key();
      Optional<LastEvents> events = last.of(config, key, clock.instant());
      int left = ask(instance, key);
      if (left != MISTAKEN) events.ifPresent(this::show);
      return left;
    } catch (IllegalArgumentException e) {
      throw asked.misused(e.getMessage());
    }
  }

  private int showRecord(Optional<SluiceConfig> config) {
    for (String each : OF_A_KEY) {
      if (!spec.commandLine().getParseResult().hasMatchedOption(each)) continue;
      throw asked.misused("--record shows one record: " + each + " does not apply");
    }
    if (!last.hasNoPeriod()) throw asked.misused("--last takes no period with --record");
    AskedRecord asks;
    try {
      asks = AskedRecord.of(config, record);
    } catch (IllegalArgumentException e) {
      throw asked.misused(e.getMessage());
    }
    return asks.print(spec.commandLine().getOut()) ? DONE : FAILED;
  }

  /**
   * Prints the remaining permits and returns the exit code. If no instance answers, prints the
   * failure instead of throwing it, because the events of {@code --last} come from Kafka and can
   * still be shown.
   */
  private int ask(Instance instance, Map<String, String> key) {
    try {
      showWhatIsLeft(instance, key);
      return DONE;
    } catch (Instance.UnansweredException e) {
      err().println(e.getMessage());
      return e.isMistake() ? MISTAKEN : FAILED;
    }
  }

  private void show(LastEvents events) {
    PrintWriter out = spec.commandLine().getOut();
    LastEvents.Found found = events.find(err());
    if (json) found.newest().forEach(each -> out.println(PlainText.json(each.json())));
    else LastTable.print(found.newest(), out);
    out.flush();
    events.remarks(found).forEach(err()::println);
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  private Map<String, String> key() {
    Map<String, String> key = new LinkedHashMap<>();
    for (String each : values) {
      int equals = each.indexOf('=');
      boolean whole = equals > 0 && equals < each.length() - 1;
      if (!whole || key.put(each.substring(0, equals), each.substring(equals + 1)) != null) {
        throw new IllegalArgumentException(
            "--for is a field and a value, such as userId=ada, each field once");
      }
    }
    return key;
  }

  private void showWhatIsLeft(Instance instance, Map<String, String> key) {
    List<JsonNode> answers = new ArrayList<>();
    for (String name : limits(instance, key)) {
      JsonNode answer = instance.key(name, key);
      boolean applies = !answer.path("applies").asText().equals("none");
      if (applies || !limit.isEmpty()) answers.add(answer);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) answers.forEach(each -> out.println(PlainText.json(each.toString())));
    else new Answers(answers).print(out);
    out.flush();
  }

  /**
   * Returns the limit of the option {@code --limit}; without it, all limits whose key consists of
   * exactly the given fields.
   */
  private List<String> limits(Instance instance, Map<String, String> key) {
    if (!limit.isEmpty()) return List.of(limit);
    List<String> names = new ArrayList<>();
    for (JsonNode each : instance.limits().path("limits")) {
      Set<String> fields = new HashSet<>();
      each.path("key").forEach(field -> fields.add(field.asText()));
      if (fields.equals(key.keySet())) names.add(each.path("limit").asText());
    }
    if (names.isEmpty()) {
      throw new IllegalArgumentException("no limit counts by " + String.join(",", key.keySet()));
    }
    return names;
  }
}
