package io.sluice.guarantees.evidence;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints the log of a test run on the terminal, with the seconds since its start. */
public final class Diary {
  private final PrintWriter out;
  private final long startNanos = System.nanoTime();

  public Diary(PrintWriter out) {
    this.out = out;
  }

  public synchronized void note(String what) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    out.printf(Locale.ROOT, "%6.1f s  %s%n", seconds, what);
    out.flush();
  }

  /** Prints a line without the seconds since the start. */
  public synchronized void say(String line) {
    out.println(line);
    out.flush();
  }
}
