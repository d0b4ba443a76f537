package io.sluice.cli.simulate;

import io.sluice.topology.simulation.Simulation;
import java.io.IOException;

/** The past events that a simulation is fed with, one after the other. */
interface Source {
  /** Goes to the next one; returns false if there is none. */
  boolean next() throws IOException;

  /** The place of the one it is at, where people find it: line 7, or user-actions-0-7. */
  String place();

  /** Feeds the one it is at. */
  void feed(Simulation simulation, Simulation.Output output);

  /** What people call one of them. */
  String noun();

  /** Whether its order is nobody's choice, and another would do as well. */
  boolean canBeSorted();
}
