package io.sluice.cli.limits;

import io.sluice.topology.revision.Scope;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of the history. */
final class HistoryOptions {
  @Option(
      names = "--for",
      paramLabel = "FIELD=VALUE",
      description = "Only what is for events with this value, such as userId=shop-7.")
  private List<String> values = List.of();

  @Option(names = "--json", description = "Print a JSON object for each revision.")
  private boolean json;

  @Option(
      names = "--export",
      description = "Print the revisions alone, as JSON: a file for simulate.")
  private boolean export;

  Scope scope() {
    List<String> mistakes = new ArrayList<>();
    Scope scope = Given.scope(values, mistakes);
    MistakenException.throwIfAny(mistakes);
    return scope;
  }

  void print(Chronicle chronicle, Session session) {
    if (export) JsonLines.export(chronicle, session.out());
    else if (json) JsonLines.print(chronicle, session.out());
    else chronicle.print(session.out());
  }
}
