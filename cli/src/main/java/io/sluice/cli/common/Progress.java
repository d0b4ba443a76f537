package io.sluice.cli.common;

import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.function.LongFunction;

/** One line that says how far a command is, where there is a terminal to see it. */
public final class Progress {
  /** Set by the launcher, which can tell; Java cannot. */
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
   * Says so, if it has not for a while.
   *
   * @param said of how many there are a second
   */
  public void show(long count, LongFunction<String> said) {
    if (!seen || (count & 0xff) != 0) return; // asking for the time takes some, too
    long nowMs = clock.millis();
    if (nowMs < nextMs) return;
    nextMs = nowMs + EVERY_MS;
    shown = true;
    err.print(CLEAR + said.apply(count * 1_000 / (nowMs - beganMs)));
    err.flush();
  }

  /** Makes room for other lines. */
  public void end() {
    if (!shown) return;
    shown = false;
    err.print(CLEAR);
    err.flush();
  }
}
