package io.sluice.cli.common;

import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.function.LongFunction;

/** Progress line of a command on standard error, printed only if standard error is a terminal. */
public final class Progress {
  /**
   * System property that the launcher script sets if standard error is a terminal, because Java
   * cannot detect this.
   */
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
   * Replaces the progress line, at most every 2 seconds.
   *
   * @param count number of items so far
   * @param said formats the line, given the number of items per second
   */
  public void show(long count, LongFunction<String> said) {
    // Reads the clock only for every 256th item, because this takes time.
    if (!seen || (count & 0xff) != 0) return;
    long nowMs = clock.millis();
    if (nowMs < nextMs) return;
    nextMs = nowMs + EVERY_MS;
    shown = true;
    err.print(CLEAR + said.apply(count * 1_000 / (nowMs - beganMs)));
    err.flush();
  }

  /** Clears the progress line, so that other output can follow. */
  public void end() {
    if (!shown) return;
    shown = false;
    err.print(CLEAR);
    err.flush();
  }
}
