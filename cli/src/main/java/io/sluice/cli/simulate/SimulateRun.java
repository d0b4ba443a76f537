package io.sluice.cli.simulate;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.common.Progress;
import io.sluice.limiter.PlainText;
import io.sluice.topology.simulation.SimulatedVerdict;
import io.sluice.topology.simulation.Simulation;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * Run of a simulation: reads events and writes verdicts until the input ends or the run is closed.
 * Another thread may close it; the current event is finished first.
 */
final class SimulateRun implements Simulation.Output, AutoCloseable {
  private final Simulation simulation;
  private final VerdictLines verdicts;
  private final PrintWriter err;
  private final boolean strict;
  private final Progress progress;
  private final SimulateSummary summary = new SimulateSummary();
  private String place = "";
  private boolean mayBeDisordered;
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

  /**
   * Processes all events and releases all delayed ones; returns false if the run was closed before.
   */
  boolean take(Source source) throws IOException {
    mayBeDisordered = source.canBeSorted();
    while (!closed && source.next()) feed(source);
    while (isDelaying()) runOn();
    flush();
    progress.end();
    return !closed;
  }

  private synchronized void feed(Source source) {
    if (closed) return;
    place = source.place();
    source.feed(simulation, this);
  }

  private synchronized boolean isDelaying() {
    return !closed && simulation.delayed() > 0;
  }

  private synchronized void runOn() {
    if (!closed) simulation.runOn(this);
  }

  /** Writes the verdicts so far, before an input that may block. */
  synchronized void flush() {
    if (!closed) verdicts.flush();
  }

  @Override
  public void verdict(SimulatedVerdict verdict) {
    verdicts.write(verdict.json());
    summary.count(verdict);
    progress.show(
        summary.events(),
        perSecond ->
            "%,d events, %,d a second; the simulated time is %s"
                .formatted(summary.events(), perSecond, simulation.now()));
  }

  @Override
  public void notAnEvent(String why) {
    String complaint = PlainText.message(place + ": " + why);
    if (strict) throw new CommandFailedException(complaint);
    progress.end();
    err.println(complaint);
    summary.countBadLine();
  }

  @Override
  public void late(Duration behind) {
    if (!mayBeDisordered) return;
    mayBeDisordered = false; // warn only once
    progress.end();
    err.printf(
        "warning: %s is %,d s older than an event before it, more than sluice.time.lateness: it is"
            + " metered as a late event; --sort sorts the input by time%n",
        place, behind.toSeconds());
  }

  /** Shows the number of entries read for sorting, none of which was fed yet. */
  void showRead(long entries) {
    progress.show(
        entries, perSecond -> "%,d read for sorting, %,d a second".formatted(entries, perSecond));
  }

  SimulateSummary summary() {
    return summary;
  }

  @Override
  public void close() {
    simulation.stopWaiting();
    end();
  }

  private synchronized void end() {
    if (closed) return;
    closed = true;
    simulation.close();
    try {
      verdicts.flush();
    } catch (VerdictLines.NobodyReadsException e) {
      // Nothing reads the rest of the output.
    }
  }
}
