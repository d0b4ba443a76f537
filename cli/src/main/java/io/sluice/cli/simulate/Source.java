package io.sluice.cli.simulate;

import io.sluice.topology.simulation.Simulation;
import java.io.IOException;

/** Iterator over the past events that a simulation reads. */
interface Source {
  /** Moves to the next event; returns false at the end. */
  boolean next() throws IOException;

  /**
   * Returns the position of the current event for messages, such as {@code line 7} or {@code
   * user-actions-0-7}.
   */
  String place();

  /** Feeds the current event to the simulation. */
  void feed(Simulation simulation, Simulation.Output output);

  /** Returns the noun for one event of the input in messages: line or record. */
  String noun();

  /**
   * Whether {@code --sort} can sort the events by time: true for files, whose order is arbitrary.
   */
  boolean canBeSorted();
}
