package io.sluice.guarantees;

import java.io.PrintWriter;
import java.util.Locale;

/** Says what happens, and how long after the beginning. */
final class Diary {
  private final PrintWriter out;
  private final long startNanos = System.nanoTime();

  Diary(PrintWriter out) {
    this.out = out;
  }

  synchronized void note(String what) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    out.printf(Locale.ROOT, "%6.1f s  %s%n", seconds, what);
    out.flush();
  }

  /** A line as it is. */
  synchronized void say(String line) {
    out.println(line);
    out.flush();
  }
}
