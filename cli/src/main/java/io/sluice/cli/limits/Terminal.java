package io.sluice.cli.limits;

import io.sluice.limiter.PlainText;
import io.sluice.live.change.ChangeSession;
import java.io.PrintWriter;
import java.util.List;

/**
 * Prints the results of changes on the terminal. Revisions may contain untrusted texts, so lines
 * are cleaned by {@link PlainText}.
 */
record Terminal(PrintWriter out, PrintWriter err) implements ChangeSession.Asker {
  @Override
  public String named(String field) {
    return "--" + field;
  }

  @Override
  public void says(String line) {
    out.println(PlainText.of(line, PlainText.LONGEST_MESSAGE)); // may be a table row: keeps spaces
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
