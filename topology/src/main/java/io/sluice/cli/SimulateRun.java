package io.sluice.cli;

import io.sluice.topology.simulation.SimulatedVerdict;
import io.sluice.topology.simulation.Simulation;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;

/**
 * One run of a simulation: lines in, verdicts out, until the input ends or it is closed. Closing is
 * safe from another thread, and lets the event that is under way finish.
 */
final class SimulateRun implements Simulation.Output, AutoCloseable {
  private final Simulation simulation;
  private final VerdictLines verdicts;
  private final PrintWriter err;
  private final boolean strict;
  private final Progress progress;
  private final SimulateSummary summary = new SimulateSummary();
  private long lineNumber;
  private byte[] line = {};
  private volatile boolean closed;

  SimulateRun(
      Simulation simulation,
      VerdictLines verdicts,
      PrintWriter err,
      boolean strict,
      Progress progress) {
    this.simulation = simulation;
    this.verdicts = verdicts;
    this.err = err;
    this.strict = strict;
    this.progress = progress;
  }

  /** Takes all lines, and waits for all that is delayed; returns false if it was closed before. */
  boolean take(InputStream in) throws IOException {
    Lines lines = new Lines(in, this::flush);
    while (!closed && lines.next()) feed(lines);
    while (isDelaying()) runOn();
    flush();
    progress.end();
    return !closed;
  }

  private synchronized void feed(Lines lines) {
    if (closed) return;
    lineNumber = lines.number();
    line = lines.trimmed();
    if (lines.isTooLong()) complain("longer than " + Lines.LONGEST + " bytes");
    else if (line.length > 0) simulation.feed(line, this);
  }

  private synchronized boolean isDelaying() {
    return !closed && simulation.delayed() > 0;
  }

  private synchronized void runOn() {
    if (!closed) simulation.runOn(this);
  }

  private synchronized void flush() {
    if (!closed) verdicts.flush();
  }

  @Override
  public void verdict(SimulatedVerdict verdict) {
    verdicts.write(verdict.json());
    summary.count(verdict);
    progress.show(summary.events(), simulation.now());
  }

  @Override
  public void notAnEvent(String why) {
    complain(line[0] == '{' ? why : "not JSON: an event is an object, in braces");
  }

  private void complain(String why) {
    String complaint = "line " + lineNumber + ": " + why;
    if (strict) throw new CommandFailedException(complaint);
    progress.end();
    err.println(complaint);
    summary.countBadLine();
  }

  SimulateSummary summary() {
    return summary;
  }

  @Override
  public synchronized void close() {
    if (closed) return;
    closed = true;
    simulation.close();
    try {
      verdicts.flush();
    } catch (VerdictLines.NobodyReadsException e) {
      // Then there is nobody to miss the last of them.
    }
  }
}
