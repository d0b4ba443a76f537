package io.sluice.cli.simulate;

import io.sluice.topology.simulation.Simulation;
import java.io.IOException;

/** Iterator over past events, the input of a simulation. */
interface Source {
  /** Moves to the next event; returns false at the end. */
  boolean next() throws IOException;

  /** Returns the position of the current event for messages: line 7, or user-actions-0-7. */
  String place();

  /** Feeds the current event to the simulation. */
  void feed(Simulation simulation, Simulation.Output output);

  /** Returns the noun for one input in messages: line or record. */
  String noun();

  /** Whether the user may have the input sorted: true for files, whose order is arbitrary. */
  boolean canBeSorted();
}
