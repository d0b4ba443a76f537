/**
 * The same topology under a virtual clock. Start at {@link
 * io.sluice.topology.simulation.Simulation}. It may call all other rooms.
 */
package io.sluice.topology.simulation;
