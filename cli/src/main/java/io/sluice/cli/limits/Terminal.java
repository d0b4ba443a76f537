package io.sluice.cli.limits;

import io.sluice.topology.change.Session;
import java.io.PrintWriter;
import java.util.List;

/** Somebody at a terminal, who gives options and reads lines. */
record Terminal(PrintWriter out, PrintWriter err) implements Session.Asker {
  @Override
  public String named(String field) {
    return "--" + field;
  }

  @Override
  public void says(String line) {
    out.println(line);
  }

  @Override
  public void warns(String line) {
    err.println("warning: " + line);
  }

  @Override
  public void wrote(String what, List<String> ids) {
    out.println(what + " " + String.join(" ", ids));
  }

  @Override
  public void tried() {
    out.println("dry run: nothing is published");
  }
}
