package io.sluice.guarantees.evidence;

import java.io.PrintWriter;
import java.util.Locale;

/** The diary of a run on the terminal: each line says how long after the beginning. */
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

  /** A line as it is. */
  public synchronized void say(String line) {
    out.println(line);
    out.flush();
  }
}
