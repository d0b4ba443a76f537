/**
 * The command that tries limits on past events. Start at {@link
 * io.sluice.cli.simulate.SimulateCommand}; what it reads is a {@code Source}, of files or of
 * topics.
 */
package io.sluice.cli.simulate;
