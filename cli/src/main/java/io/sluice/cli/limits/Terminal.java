package io.sluice.cli.limits;

import io.sluice.limiter.PlainText;
import io.sluice.topology.change.Session;
import java.io.PrintWriter;
import java.util.List;

/** A terminal: its user gives options and reads lines. Revisions may hold texts from outside. */
record Terminal(PrintWriter out, PrintWriter err) implements Session.Asker {
  @Override
  public String named(String field) {
    return "--" + field;
  }

  @Override
  public void says(String line) {
    out.println(PlainText.of(line, PlainText.LONGEST_MESSAGE)); // it may be a row of a table
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
