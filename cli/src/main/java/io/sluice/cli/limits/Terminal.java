package io.sluice.cli.limits;

import io.sluice.limiter.PlainText;
import io.sluice.live.change.ChangeSession;
import java.io.PrintWriter;
import java.util.List;

/**
 * Prints the results of a command that changes limits. Revisions (dated changes of limits) may
 * contain untrusted texts, so {@link PlainText} replaces invisible characters in each line.
 */
record Terminal(PrintWriter out, PrintWriter err) implements ChangeSession.Asker {
  @Override
  public String named(String field) {
    return "--" + field;
  }

  @Override
  public void says(String line) {
    // Unlike PlainText.message, keeps runs of spaces, which align the columns of table rows.
    out.println(PlainText.of(line, PlainText.LONGEST_MESSAGE));
  }

  @Override
  public void warns(String line) {
    err.println("warning: " + PlainText.message(line));
  }

  @Override
  public void wrote(String what, List<String> ids) {
    out.println(PlainText.message(what + " " + String.join(" ", ids)));
  }

  @Override
  public void tried() {
    out.println("dry run: nothing is published");
  }
}
