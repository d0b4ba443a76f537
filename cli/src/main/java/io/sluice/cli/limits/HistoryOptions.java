package io.sluice.cli.limits;

import io.sluice.live.RevisionTopic;
import io.sluice.live.change.ChangeSession;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * Command-line options of {@code limits history}, which prints the revisions (dated changes) of
 * limits.
 */
final class HistoryOptions {
  @Option(
      names = "--for",
      paramLabel = "FIELD=VALUE",
      description = "Only revisions for events with this value, such as userId=shop-7.")
  private List<String> values = List.of();

  @Option(names = "--json", description = "Print a JSON object for each revision.")
  private boolean json;

  @Option(
      names = "--export",
      description = "Print only the revisions, as JSON: a file for 'simulate --limits'.")
  private boolean export;

  void print(ChangeSession session, String limit, PrintWriter out) {
    List<ChangeSession.Entry> entries = session.history(limit, values);
    // Unreadable records of the limits topic name no limit and no value, so a filtered history
    // omits them.
    boolean isComplete = limit.isEmpty() && values.isEmpty();
    List<RevisionTopic.Unreadable> unreadable =
        isComplete ? session.contents().unreadable() : List.of();
    if (export) JsonLines.export(entries, out);
    else if (json) JsonLines.print(entries, unreadable, out);
    else HistoryTable.print(entries, unreadable, out);
  }
}
