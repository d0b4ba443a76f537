/**
 * Command that applies limits to past events. Start at {@link
 * io.sluice.cli.simulate.SimulateCommand}; a {@code Source} reads the events from a file or from
 * Kafka topics.
 */
package io.sluice.cli.simulate;
