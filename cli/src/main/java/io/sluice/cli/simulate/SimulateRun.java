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
 * Another thread may close the run, which first finishes the current event.
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
   * Processes all events, then releases all delayed events; returns false if the run was closed
   * before the end.
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

  /**
   * Writes the buffered verdicts; called before each read of the input, because a read may block.
   */
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
  public void passedOn(String verdict) {
    verdicts.write(verdict);
    summary.countPassedOn();
  }

  @Override
  public void dropped() {
    summary.countDropped();
  }

  @Override
  public void late(Duration behind) {
    if (!mayBeDisordered) return;
    mayBeDisordered = false; // only the first late event is reported
    progress.end();
    err.printf(
        "warning: %s is %,d s older than an event before it, more than sluice.time.lateness: it is"
            + " metered as a late event; --sort sorts the input by time%n",
        place, behind.toSeconds());
  }

  /** Shows how many entries were read for sorting; the simulation starts after the last one. */
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
    } catch (VerdictLines.OutputClosedException e) {
      // The program that reads the output has ended, so the remaining verdicts are dropped.
    }
  }
}
