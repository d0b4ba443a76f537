package io.sluice.cli.limits;

import io.sluice.live.change.ChangeSession;
import io.sluice.live.change.RequestedChanges;
import java.util.List;
import picocli.CommandLine.Option;

/** Command-line options of every subcommand that changes limits: author, note and dry run. */
final class Signature {
  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "The author of the change. By default your user name.")
  private String by = System.getProperty("user.name", "");

  @Option(names = "--note", paramLabel = "TEXT", description = "The reason, for the history.")
  private String note = "";

  @Option(names = "--dry-run", description = "Check and explain the change; publish nothing.")
  private boolean dryRun;

  /** Creates the request for {@code limits undo}, which has no options for time and scope. */
  RequestedChanges of(ChangeSession session) {
    return of(session, List.of(), RequestedChanges.SOON, "");
  }

  RequestedChanges of(ChangeSession session, List<String> values, String at, String until) {
    return new RequestedChanges(
        session, new RequestedChanges.Asked(values, at, until, by, note, dryRun));
  }
}
