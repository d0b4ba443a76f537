/**
 * Simulation that runs the topology without Kafka, under a virtual clock. Start at {@link
 * io.sluice.topology.simulation.Simulation}. This package may call all other packages of the
 * topology.
 */
package io.sluice.topology.simulation;
