/**
 * The topology under a virtual clock. Start at {@link io.sluice.topology.simulation.Simulation}. It
 * may call all other packages of the topology.
 */
package io.sluice.topology.simulation;
