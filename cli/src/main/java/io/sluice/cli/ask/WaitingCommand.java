package io.sluice.cli.ask;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.common.Table;
import io.sluice.limiter.PlainText;
import io.sluice.live.change.RevisionFormatter;
import io.sluice.server.ask.Report.Unanswered;
import io.sluice.server.ask.WaitingReport;
import io.sluice.server.web.JsonText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that shows the events that wait in line for limits with a queue. */
@Command(
    name = "waiting",
    description =
        "Shows the events that wait in line, over all instances: how many, since when, and the"
            + " first of them with their positions and estimates.",
    mixinStandardHelpOptions = true)
public final class WaitingCommand implements Callable<Integer> {
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int MISTAKEN = 2;

  private static final int LONGEST_ID = PlainText.LONGEST_NAME;

  @Mixin private final AskedInstance asked;

  @Option(
      names = "--for",
      paramLabel = "FIELD=VALUE",
      description =
          "Only events with this value, such as userId=ada. Repeat it for events that have several"
              + " values.")
  private List<String> values = List.of();

  @Option(
      names = "--limit",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Only events that wait for this limit.")
  private String limit;

  @Option(
      names = "--max",
      paramLabel = "N",
      defaultValue = "20",
      description = "List at most N events, 0 to 200. Default: ${DEFAULT-VALUE}.")
  private int most;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  public WaitingCommand() {
    this(System.getenv());
  }

  /**
   * @param environment environment variables, which override the properties file, or contain the
   *     access token if there is no file
   */
  public WaitingCommand(Map<String, String> environment) {
    asked = new AskedInstance(environment);
  }

  @Override
  public Integer call() {
    System.getProperties().putIfAbsent("sluice.log.root", "off");
    System.getProperties().putIfAbsent("sluice.log.level", "error");
    WaitingQuery query;
    try {
      query = WaitingQuery.of(values, "", limit, most);
    } catch (IllegalArgumentException e) {
      throw asked.misused(e.getMessage());
    }
    Instance instance = asked.instance(asked.config());
    try {
      ObjectNode answer = instance.waiting(query.parameters());
      PrintWriter out = spec.commandLine().getOut();
      if (json) out.println(PlainText.json(answer.toString()));
      else print(read(answer), out);
      out.flush();
      return DONE;
    } catch (Instance.UnansweredException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return e.isMistake() ? MISTAKEN : FAILED;
    }
  }

  /** Reads the answer of an instance. */
  static WaitingReport read(ObjectNode answer) {
    try {
      return JsonText.read(answer.toString(), WaitingReport.class);
    } catch (IllegalArgumentException e) {
      throw new CommandFailedException("the answer cannot be read: " + e.getMessage(), e);
    }
  }

  static void print(WaitingReport report, PrintWriter out) {
    if (report.count() == 0) {
      out.println(report.hasAll() ? "no events wait in line" : "no waiting event was found");
    } else {
      printClasses(report, out);
      if (!report.events().isEmpty()) printEvents(report, out);
    }
    notes(report).forEach(out::println);
  }

  private static void printClasses(WaitingReport report, PrintWriter out) {
    Table table = new Table().row("limit", "class", "waiting", "longest");
    for (WaitingReport.OfClass each : report.classes()) {
      table.row(
          each.limit(), each.className(), each.length(), age(report.asOfMs(), each.oldestMs()));
    }
    table.print(out);
    out.println();
  }

  private static void printEvents(WaitingReport report, PrintWriter out) {
    Table table =
        new Table()
            .row("event", "user", "action", "class", "waits since", "position", "before", "leaves");
    for (WaitingReport.Waiter each : report.events()) {
      table.row(
          each.eventId(),
          each.userId(),
          each.action(),
          each.className(),
          RevisionFormatter.time(each.arrivedMs()),
          each.position(),
          before(each.before()),
          leaves(each));
    }
    table.print(out);
    long more = report.count() - report.events().size();
    if (more > 0) out.println("and " + more + " more");
    if (report.events().stream().anyMatch(each -> each.eventId().length() > LONGEST_ID))
      out.println("ids are shortened; --json has them whole");
  }

  private static String leaves(WaitingReport.Waiter event) {
    return event.estimateMs() == 0
        ? "not known"
        : "about " + RevisionFormatter.time(event.estimateMs());
  }

  /** Formats the numbers of other events before an event, such as {@code vendor 12}. */
  private static String before(Map<String, Long> before) {
    return before.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String age(long nowMs, long sinceMs) {
    return RevisionFormatter.period(Math.max(0, nowMs - sinceMs));
  }

  /** Returns the remarks about events that are missing in a report. */
  static List<String> notes(WaitingReport report) {
    List<String> notes = new ArrayList<>();
    if (report.more())
      notes.add("more may wait: only the first 20,000 events of each partition are read");
    if (report.moreClasses())
      notes.add("the table has the 1,000 limits and classes whose events have waited longest");
    if (report.moving()) notes.add("partitions are moving, so that events are left out; ask again");
    for (Unanswered each : report.unanswered())
      notes.add(
          "without " + PlainText.of(each.instance()) + ": " + PlainText.message(each.why(), 200));
    if (!report.missing().isEmpty()) notes.add("without partitions " + some(report.missing()));
    return notes;
  }

  private static String some(List<Long> partitions) {
    return RevisionFormatter.some(partitions.stream().map(String::valueOf).toList());
  }
}
