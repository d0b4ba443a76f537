package io.sluice.cli.common;

import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.function.LongFunction;

/** Progress line on standard error, shown only on a terminal. */
public final class Progress {
  /** System property set by the launcher if standard error is a terminal; Java cannot tell. */
  private static final String TERMINAL = "sluice.stderr.terminal";

  private static final long EVERY_MS = 2_000;
  private static final String CLEAR = "\r\033[K";

  private final InstantSource clock = InstantSource.system();
  private final PrintWriter err;
  private final boolean seen = Boolean.getBoolean(TERMINAL);
  private final long beganMs = clock.millis();
  private long nextMs = beganMs + EVERY_MS;
  private boolean shown;

  public Progress(PrintWriter err) {
    this.err = err;
  }

  /**
   * Shows the progress, at most every 2 seconds.
   *
   * @param said formats the line, given the number of items per second
   */
  public void show(long count, LongFunction<String> said) {
    if (!seen || (count & 0xff) != 0) return; // reading the clock costs time
    long nowMs = clock.millis();
    if (nowMs < nextMs) return;
    nextMs = nowMs + EVERY_MS;
    shown = true;
    err.print(CLEAR + said.apply(count * 1_000 / (nowMs - beganMs)));
    err.flush();
  }

  /** Clears the line before other output. */
  public void end() {
    if (!shown) return;
    shown = false;
    err.print(CLEAR);
    err.flush();
  }
}
